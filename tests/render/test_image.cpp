#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/image.hpp>
#include <string>

namespace odemesh::sim {
namespace {

/// A file in a folder of this test's own, as tests run side by side.
std::filesystem::path scratch(const std::string& name) {
  const char* test = testing::UnitTest::GetInstance()->current_test_info()->name();
  return std::filesystem::path(testing::TempDir()) /
         (std::string("odemesh image ") + test + " " + std::to_string(getpid())) / name;
}

std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Image, PngRoundTrip) {
  Image image{7, 3, {}};
  for (int i = 0; i < 4 * 7 * 3; ++i)
    image.rgba.push_back(static_cast<std::uint8_t>(i % 4 == 3 ? 255 : i * 37 % 256));
  const auto file = scratch("a/round trip.png");
  std::filesystem::create_directories(file.parent_path());
  savePng(image, file);
  EXPECT_EQ(loadPng(file), image);
  std::filesystem::remove_all(scratch(""));
}

TEST(Image, FailuresNameTheFile) {
  const Image image{1, 1, {1, 2, 3, 255}};
  const auto names = [](const std::string& message, const char* file) {
    return message.find(file) != std::string::npos;
  };
  EXPECT_TRUE(names(messageOf([&] { savePng(image, "/proc/no/such.png"); }), "/proc/no/such.png"));
  EXPECT_TRUE(names(messageOf([&] { savePng({}, scratch("empty.png")); }), "empty.png"));
  EXPECT_TRUE(names(messageOf([&] { savePng({2, 2, {0, 0, 0, 0}}, scratch("short.png")); }), "short.png"));
  EXPECT_TRUE(names(messageOf([&] { (void)loadPng(scratch("absent.png")); }), "absent.png"));
  std::filesystem::create_directories(scratch(""));
  savePng(image, scratch("cut.png"));
  std::filesystem::resize_file(scratch("cut.png"), 40);
  EXPECT_TRUE(names(messageOf([&] { (void)loadPng(scratch("cut.png")); }), "cut.png"));
  std::filesystem::remove_all(scratch(""));
}

TEST(Image, PixelsOutsideAreRefused) {
  const Image image{1, 2, {0, 0, 0, 255, 255, 0, 51, 255}};
  EXPECT_EQ(image.at(0, 1), (Colour{1, 0, 0.2F, 1}));
  EXPECT_THROW((void)image.at(1, 0), std::out_of_range);
  EXPECT_THROW((void)image.at(0, 2), std::out_of_range);
  EXPECT_THROW((void)image.at(-1, 0), std::out_of_range);
}

TEST(Colour, NeighboursInThePaletteDiffer) {
  for (std::size_t i = 0; i < 3 * kPaletteSize; ++i) {
    const Colour a = bodyColour(i);
    const Colour b = bodyColour(i + 1);
    EXPECT_GT(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b), 0.3F) << i;
  }
}

TEST(Colour, DeeperContactsAreRedder) {
  EXPECT_GT(depthColour(0, 1).g, depthColour(0.5, 1).g);
  EXPECT_GT(depthColour(0.5, 1).g, depthColour(1, 1).g);
  EXPECT_EQ(depthColour(7, 1), depthColour(1, 1));
  EXPECT_EQ(depthColour(-1, 1), depthColour(0, 1));
  EXPECT_EQ(depthColour(std::nan(""), 1), depthColour(0, 1));
  EXPECT_EQ(depthColour(1, 0), depthColour(1, 1));
}

}  // namespace
}  // namespace odemesh::sim
