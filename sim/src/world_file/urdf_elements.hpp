// What libsdformat passes over in silence when it turns URDF into SDF.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace odemesh::sim {

/// A sentence for each kind of thing in a URDF file that libsdformat does not take over, with how often it
/// occurs: elements (<mimic>, <transmission>, capsules, ...), and links without mass, which it leaves out
/// together with all below them unless a fixed joint joins them to one that has some. What is in <gazebo> is
/// taken over, and so is not among them. Empty for files that are not URDF. Throws InputError, naming the
/// file and the element, for what libsdformat would take for something else: numbers that are none, and
/// joints of the types floating and planar; for elements nested more than 100 deep; and for any file that is
/// not well-formed XML. O(n log n) in the number of elements.
[[nodiscard]] std::vector<std::string> unreadUrdf(const std::filesystem::path& file);

/// "FILE: WHAT is not supported and left out (N times)" for each.
[[nodiscard]] std::vector<std::string> leftOutTexts(const std::string& file,
                                                    const std::map<std::string, int>& counts);

}  // namespace odemesh::sim
