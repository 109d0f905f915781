#include "contact/patch/tip_in_corner.hpp"

#include <algorithm>
#include <odemesh/pose.hpp>
#include <optional>
#include <span>
#include <vector>

#include "constants.hpp"
#include "contact/patch/corner.hpp"
#include "contact/way_out/least_way.hpp"

namespace odemesh {

namespace {

/// Contacts lie in the corner of their walls if they are no farther apart than this, in units of the way out
/// between these.
constexpr double kCornerWidth = 2;

/// Ways off walls of depth 1 are as long as they should be but for this.
constexpr double kWaySlack = 1e-9;

class CornerTips {
 public:
  CornerTips(const MeshPair& pair, std::span<const Contact> contacts, std::vector<bool>& has_partner)
      : slack_(kInflation * pair.size()),
        touching_(2 * kLeastDepth * pair.size()),
        longest_(kTightFit * pair.size()),
        contacts_(contacts),
        has_partner_(has_partner) {
    has_partner_.assign(contacts.size(), false);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (areInCorner(contacts[i], contacts[j])) has_partner_[i] = has_partner_[j] = true;
  }

  /// Appends those that lead out of corners. Of a tip's that lead the same way, the deepest stays.
  void addTo(std::vector<Contact>& out) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (has_partner_[i])
        if (const auto contact = outOfCornerOf(contacts_[i])) addUnlike(*contact, out);
  }

 private:
  /// Of what is apart, within a margin, two walls do not tell how far it may move between them.
  [[nodiscard]] bool areInCorner(const Contact& a, const Contact& b) const {
    if (a.depth <= 0 || b.depth <= 0 || dot(a.normal, b.normal) > kLooksAgainst) return false;
    const double share = 0.5 * length(a.normal + b.normal);
    if (share <= kSteepestWall) return false;
    const double way_out = (std::max(a.depth, b.depth) + slack_) / share, near = kCornerWidth * way_out;
    return way_out <= longest_ && lengthSq(a.position - b.position) <= near * near;
  }

  template <typename Visit>
  void forCornerOf(const Contact& contact, Visit&& visit) const {
    for (const Contact& c : contacts_)
      if (&c == &contact || areInCorner(c, contact)) visit(c);
  }

  /// Do all contacts of the wall that has this one lie in a corner, but for those that only touch?
  [[nodiscard]] bool isWallInCorner(const Contact& contact) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (!has_partner_[i] && contacts_[i].depth > touching_ &&
          dot(contacts_[i].normal, contact.normal) > kClusterCosine)
        return false;
    return true;
  }

  /// If the walls there are steep, and one of them meets the tip alone.
  [[nodiscard]] std::optional<Contact> outOfCornerOf(const Contact& contact) const {
    const auto way = wayOutOfCornerOf(contact);
    const double share = way ? 1 / length(*way) : 0;
    if (share <= kSteepestWall || share > kSteepWall) return std::nullopt;
    Contact out = contact;
    out.normal = *way * share;
    Vec3 sum;
    double count = 0;
    bool is_tip = false;
    forCornerOf(contact, [&](const Contact& c) {
      sum += c.position;
      ++count;
      out.depth = std::min(out.depth, c.depth);
      is_tip = is_tip || isWallInCorner(c);
    });
    out.position = sum / count;
    return is_tip ? std::optional(out) : std::nullopt;
  }

  /// By 1 off each wall.
  [[nodiscard]] std::optional<Vec3> wayOutOfCornerOf(const Contact& contact) const {
    return leastWayOff(kWaySlack, [&](const Vec3& way) {
      std::optional<Wall> worst;
      double least = 1 - kWaySlack;
      forCornerOf(contact, [&](const Contact& c) {
        const double off = dot(c.normal, way);
        if (off >= least) return;
        least = off;
        worst = {c.normal, 1};
      });
      return worst;
    });
  }

  void addUnlike(const Contact& contact, std::vector<Contact>& out) const {
    const double near = kCornerWidth * longest_;
    const auto like = std::ranges::find_if(out, [&](const Contact& c) {
      return dot(c.normal, contact.normal) > kClusterCosine &&
             lengthSq(c.position - contact.position) <= near * near;
    });
    if (like == out.end())
      out.push_back(contact);
    else if (like->depth < contact.depth)
      *like = contact;
  }

  double slack_;
  double touching_;  ///< the depth of what overlaps is greater
  double longest_;   ///< way out of a corner
  std::span<const Contact> contacts_;
  std::vector<bool>& has_partner_;  ///< does it lie in a corner with another one?
};

}  // namespace

void addOutOfCorners(const MeshPair& pair, std::size_t first, ContactScratch& scratch) {
  auto& out = scratch.set_aside;
  out.clear();
  CornerTips(pair, std::span<const Contact>(scratch.contacts).subspan(first), scratch.has_partner).addTo(out);
  if (out.empty()) return;
  scratch.contacts.insert(scratch.contacts.end(), out.begin(), out.end());
  scratch.patch_end.push_back(scratch.contacts.size());
}

}  // namespace odemesh
