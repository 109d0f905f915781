#include "viewer/panels.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "viewer/caption.hpp"

namespace odemesh::viewer {
namespace {

constexpr float kCaptionSize = 26;
constexpr float kPanelWidth = 236;
constexpr float kNarrowestPanel = 100;
constexpr float kMargin = 8;
constexpr float kLogHeight = 110;
constexpr ImU32 kCaptionInk = IM_COL32(45, 45, 45, 255);
constexpr ImU32 kCaptionGround = IM_COL32(255, 255, 255, 150);

/// A panel that keeps to its place; ends itself.
class Panel {
 public:
  Panel(const char* title, ImVec2 at, ImVec2 pivot, ImVec2 size, bool open = true) {
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowCollapsed(!open, ImGuiCond_Once);
    ImGui::SetNextWindowBgAlpha(0.82F);
    is_open_ = ImGui::Begin(
        title, nullptr,
        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  }
  ~Panel() { ImGui::End(); }
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  [[nodiscard]] bool isOpen() const { return is_open_; }

 private:
  bool is_open_;
};

/// A side in ImGui's units, from the left edge; on dense displays these are larger than pixels.
struct Span {
  float left, width;
};
Span spanOf(const App& app, std::size_t side) {
  const sim::Viewport half = app.viewportOf(side);
  const float scale = std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1e-3F);
  return {static_cast<float>(half.x) / scale, static_cast<float>(half.width) / scale};
}

std::string keyName(char key) {
  return key == ' ' ? "space" : std::string(1, key);
}

void button(App& app, char key, const char* label) {
  if (ImGui::Button(label)) app.pressKey(key);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("key: %s", keyName(key).c_str());
}

void showSpeed(App& app) {
  auto speed = static_cast<float>(app.speed());
  ImGui::SetNextItemWidth(-50);
  if (ImGui::SliderFloat("speed", &speed, static_cast<float>(kSlowest), static_cast<float>(kFastest), "%.3gx",
                         ImGuiSliderFlags_Logarithmic))
    app.setSpeed(static_cast<double>(speed));
}

void showTime(App& app) {
  auto time = static_cast<float>(app.session().time());
  ImGui::SetNextItemWidth(-50);
  if (ImGui::SliderFloat("time", &time, 0, static_cast<float>(app.session().duration()), "%.2f s"))
    app.session().seek(static_cast<double>(time));
}

void showColliders(App& app) {
  if (app.session().isSideBySide()) {
    ImGui::TextUnformatted("both colliders, in step");
    return;
  }
  for (const sim::Collider collider : {sim::Collider::kOdemesh, sim::Collider::kOde})
    if (ImGui::RadioButton(captionOf(collider), app.session().collider() == collider))
      app.session().setCollider(collider);
}

void showSwitches(App& app) {
  for (const Command& command : commands()) {
    if (command.is_on == nullptr || command.key == ' ') continue;
    if (command.key == 'B' && app.session().isPlaying()) continue;
    bool on = command.is_on(app);
    if (ImGui::Checkbox((std::string(command.name) + "  [" + command.key + "]").c_str(), &on))
      command.run(app);
    if (command.key == 'V' && app.view.bounding_volumes) {
      ImGui::SetNextItemWidth(-50);
      ImGui::SliderInt("level", &app.view.level, 0, kDeepestLevel);
    }
  }
}

void showControls(App& app) {
  const ImVec2 at(kMargin, kMargin);
  const Panel panel("Scene", at, {0, 0}, {kPanelWidth, 0});
  if (!panel.isOpen()) return;
  ImGui::Text(app.session().isPlaying() ? "%.2f s played, %.0f fps" : "%.2f s simulated, %.0f fps",
              app.session().time(), double(ImGui::GetIO().Framerate));
  if (app.keptPace() < 0.95) ImGui::Text("at %.0f%% of the chosen speed", 100 * app.keptPace());
  button(app, ' ', app.paused ? "Go on" : "Pause");
  ImGui::SameLine();
  button(app, 'N', "Step");
  ImGui::SameLine();
  button(app, 'R', "Reset");
  ImGui::SameLine();
  button(app, 'F', "Frame");
  showSpeed(app);
  if (app.session().isPlaying()) {
    showTime(app);
    button(app, 'P', "Picture");
    ImGui::Separator();
    showSwitches(app);
    return;
  }
  button(app, 'S', "Spawn");
  ImGui::SameLine();
  button(app, 'T', "Throw");
  ImGui::SameLine();
  button(app, 'P', "Picture");
  ImGui::Separator();
  showColliders(app);
  ImGui::Separator();
  showSwitches(app);
}

void plot(const char* name, const char* unit, const Series& series) {
  const float* values = series.data();
  const float low = std::min(0.0F, *std::min_element(values, values + kHistorySteps));
  const float high = std::max(1e-6F, *std::max_element(values, values + kHistorySteps));
  char text[96];
  std::snprintf(text, sizeof text, "%s  %.4g %s", name, double(series.latest()), unit);
  ImGui::PushID(name);
  ImGui::PlotLines("", values, kHistorySteps, series.offset(), text, low, 1.6F * high,
                   {ImGui::GetContentRegionAvail().x, 42});
  ImGui::PopID();
}

void showPlots(const Side& side) {
  plot("energy", "J", side.history.energy);
  plot("contacts", "", side.history.contacts);
  plot("depth", "mm", side.history.depth);
  plot("collision", "ms", side.history.collision_ms);
  plot("step", "ms", side.history.step_ms);
}

// What the controls, which are in the first half, leave of it.
float measurementsWidth(const App& app, std::size_t index) {
  const float taken = index == 0 ? kPanelWidth + 3 * kMargin : 2 * kMargin;
  return std::min(kPanelWidth, spanOf(app, index).width - taken);
}

void showMeasurements(App& app, std::size_t index) {
  const Span half = spanOf(app, index);
  const Side& side = app.session().sides()[index];
  const float width = measurementsWidth(app, index);
  if (width < kNarrowestPanel) return;
  const ImVec2 at(half.left + half.width - kMargin, kMargin);
  const std::string title = "Measured##" + std::to_string(index);
  // The left half has the controls; its plots are one click away.
  const Panel panel(title.c_str(), at, {1, 0}, {width, 0}, half.width > 2 * kPanelWidth + 320);
  if (panel.isOpen()) showPlots(side);
}

ImVec4 colourOf(LogLine::Kind kind) {
  if (kind == LogLine::Kind::kError) return {0.75F, 0.05F, 0.05F, 1};
  if (kind == LogLine::Kind::kWarning) return {0.60F, 0.38F, 0.0F, 1};
  return {0.15F, 0.15F, 0.15F, 1};
}

/// `shown` is the number of lines that it has scrolled to.
void showLog(const App& app, std::size_t& shown) {
  const std::vector<LogLine>& log = app.session().log();
  if (log.empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Panel panel("Log", {kMargin, display.y - kMargin}, {0, 1},
                    {std::min(display.x - 2 * kMargin, 760.0F), kLogHeight});
  if (!panel.isOpen()) return;
  for (const LogLine& line : log) {
    ImGui::PushStyleColor(ImGuiCol_Text, colourOf(line.kind));
    ImGui::TextWrapped("%s", line.text.c_str());
    ImGui::PopStyleColor();
  }
  if (shown != log.size()) ImGui::SetScrollHereY(1);
  shown = log.size();
}

}  // namespace

class Panels::Impl {
 public:
  explicit Impl(GLFWwindow* window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::StyleColorsLight();
    ImGui::GetStyle().WindowRounding = 4;
    ImGui::GetIO().IniFilename = nullptr;  // leaves no files about
    ImGui::GetIO().Fonts->AddFontDefault();
    ImFontConfig config;
    config.SizePixels = kCaptionSize;
    caption_font_ = ImGui::GetIO().Fonts->AddFontDefault(&config);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330");
  }
  ~Impl() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void draw(App& app) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    for (std::size_t i = 0; i < app.session().sides().size(); ++i) showCaption(app, i);
    if (app.view.panels) {
      showControls(app);
      if (!app.session().isPlaying())
        for (std::size_t i = 0; i < app.session().sides().size(); ++i) showMeasurements(app, i);
      showLog(app, log_lines_shown_);
    }
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }

 private:
  struct Caption {
    const char* text;
    float size;
    float width;
  };

  // From the most readable on.
  [[nodiscard]] std::vector<Caption> captionsOf(const Session& session, std::size_t side) const {
    const sim::Collider collider = session.sides()[side].collider;
    std::vector<const char*> texts{captionOf(collider), shortCaptionOf(collider)};
    if (session.isPlaying()) texts = {"a recording"};
    std::vector<Caption> out;
    for (const char* text : texts)
      for (const float size : {kCaptionSize, 0.5F * kCaptionSize})
        out.push_back({text, size, caption_font_->CalcTextSizeA(size, 1e6F, 0, text).x});
    return out;
  }

  // At the top; with panels, between or below those, or at the bottom where even that is too narrow.
  void showCaption(const App& app, std::size_t side) const {
    const Span half = spanOf(app, side);
    const std::vector<Caption> captions = captionsOf(app.session(), side);
    const auto write = [&](const Caption& caption, float x, float y) {
      ImDrawList* drawing = ImGui::GetBackgroundDrawList();
      const ImVec2 at(half.left + x, y);
      drawing->AddRectFilled({at.x - 4, at.y}, {at.x + caption.width + 4, at.y + caption.size},
                             kCaptionGround, 4);
      drawing->AddText(caption_font_, caption.size, at, kCaptionInk, caption.text);
    };
    const float left = side == 0 && app.view.panels ? kPanelWidth + 3 * kMargin : 2 * kMargin;
    const float room = half.width - left - kMargin;
    const float plots = app.session().isPlaying() ? 0 : measurementsWidth(app, side) + kMargin;
    for (const Caption& caption : captions) {
      if (!app.view.panels && caption.width < half.width)
        return write(caption, 0.5F * (half.width - caption.width), kMargin);
      if (app.view.panels && caption.width < room - plots) return write(caption, left, kMargin);
      if (app.view.panels && caption.width < room)
        return write(caption, left, kMargin + ImGui::GetFrameHeightWithSpacing());
    }
    const bool has_log = !app.session().log().empty();
    write(captions.back(), kMargin,
          ImGui::GetIO().DisplaySize.y - captions.back().size - kMargin - (has_log ? kLogHeight : 0));
  }

  ImFont* caption_font_ = nullptr;
  std::size_t log_lines_shown_ = 0;
};

Panels::Panels(GLFWwindow* window) : impl_(std::make_unique<Impl>(window)) {}
Panels::~Panels() = default;

void Panels::draw(App& app) {
  impl_->draw(app);
}

bool panelsWantMouse() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantCaptureMouse;
}

bool panelsWantKeys() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput;
}

}  // namespace odemesh::viewer
