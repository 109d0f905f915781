#include <gtest/gtest.h>

extern "C" __attribute__((visibility("default"))) int runTests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
