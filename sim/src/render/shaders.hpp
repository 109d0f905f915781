// The shaders, in GLSL 3.30. Positions are relative to the camera's target, so that float suffices far from
// the origin.
#pragma once

namespace odemesh::sim::render {

/// The first line of every shader; ShaderProgram puts it, and the features of a variant, in front of the
/// others.
inline constexpr const char* kVersion = "#version 330 core\n";

/// Where the vertices of an instance are; see instances.hpp.
inline constexpr const char* kInstance = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 to_scene_x;  // rows of mesh -> scene: world axes, the camera's target as origin
layout(location = 3) in vec4 to_scene_y;
layout(location = 4) in vec4 to_scene_z;
layout(location = 5) in vec4 colour;      // linear
vec3 placed(vec4 v) { return vec3(dot(to_scene_x, v), dot(to_scene_y, v), dot(to_scene_z, v)); }
)";

/// Depth of the bodies as the light sees them.
inline constexpr const char* kShadowVertex = R"(
uniform mat4 to_light;  // scene -> clip space of the sun
void main() { gl_Position = to_light * vec4(placed(vec4(position, 1)), 1); }
)";

inline constexpr const char* kShadowFragment = R"(
void main() {}
)";

/// What arrives at a surface, apart from what the sun's way is blocked for.
inline constexpr const char* kLight = R"(
uniform vec3 to_sun;
uniform vec3 to_fill;  // the weak light from the other side
const vec3 kSunLight = 0.78 * vec3(1.0, 0.96, 0.89);
vec3 lightWithoutSun(vec3 normal) {
  return 0.10 * vec3(0.75, 0.85, 1.0) * max(dot(normal, to_fill), 0.0) +
         mix(vec3(0.20, 0.19, 0.18), vec3(0.36, 0.39, 0.44), 0.5 + 0.5 * normal.z);
}
)";

/// Lines on what faces up.
inline constexpr const char* kGrid = R"(
uniform float grid_cell;
// How much of this pixel a grid of lines covers; lines thinner than a pixel fade instead of flickering.
float gridLines(vec2 q, vec2 pixel_size, float width_in_pixels) {
  vec2 distance_to_line = abs(fract(q - 0.5) - 0.5) / pixel_size;
  vec2 covered = clamp(0.5 * width_in_pixels + 0.5 - distance_to_line, 0.0, 1.0);
  covered *= clamp((0.5 - pixel_size) / 0.35, 0.0, 1.0);
  return max(covered.x, covered.y);
}
// What the grid leaves of the colour. p: in the plane.
float underGrid(vec2 p) {
  vec2 q = p / grid_cell;
  vec2 pixel_size = max(fwidth(q), vec2(1e-6));
  return 1.0 - 0.18 * gridLines(q, pixel_size, 1.2) - 0.22 * gridLines(0.2 * q, 0.2 * pixel_size, 1.8);
}
)";

/// Ground that ends in the background.
inline constexpr const char* kFade = R"(
uniform vec2 fade;  // distances from the scene's origin at which it begins and ends to fade
uniform vec3 eye;   // in the scene
float faded(vec3 place) {
  float opacity = 1.0 - smoothstep(fade.x, fade.y, length(place));
  return eye.z < place.z ? 0.25 * opacity : opacity;  // from below, one looks through the ground
}
)";

/// Surfaces: bodies and the ground.
inline constexpr const char* kSurfaceVertex = R"(
uniform mat4 to_clip;  // scene -> clip
out vec3 scene_position;
out vec3 scene_normal;
out vec3 corner;       // which corner of its triangle this is
flat out vec4 surface_colour;
void main() {
  scene_position = placed(vec4(position, 1));
  scene_normal = placed(vec4(normal, 0));
  corner = vec3(gl_VertexID % 3 == 0, gl_VertexID % 3 == 1, gl_VertexID % 3 == 2);
  surface_colour = colour;
  gl_Position = to_clip * vec4(scene_position, 1);
}
)";

/// Features: SHADOWS, FLAT, WIREFRAME, GRID, FADE.
inline constexpr const char* kSurfaceFragment = R"(
in vec3 scene_position;
in vec3 scene_normal;
in vec3 corner;
flat in vec4 surface_colour;
#ifndef FADE
uniform vec3 eye;  // in the scene
#endif
uniform mat4 to_shadow;      // scene -> shadow map, 0 to 1
uniform float shadow_texel;  // length of a texel of the map in the scene
uniform sampler2DShadow shadow_map;
uniform vec2 grid_origin;    // of the scene's origin within a cell
out vec4 pixel;

// The share of sunlight that arrives: 4 bilinear look-ups over 4 x 4 texels (percentage closer filtering, Reeves,
// Salesin and Cook 1987). The look-up is moved along the normal, which keeps surfaces from shading themselves without
// detaching shadows from what casts them.
float sunlight(vec3 face_normal) {
  float slope = 1.0 - max(dot(face_normal, to_sun), 0.0);
  vec3 at = (to_shadow * vec4(scene_position + face_normal * shadow_texel * (0.6 + 2.0 * slope), 1)).xyz;
  if (any(lessThan(at.xy, vec2(0))) || any(greaterThan(at.xy, vec2(1)))) return 1.0;
  vec2 step = 1.0 / vec2(textureSize(shadow_map, 0));
  float lit = 0.0;
  for (int i = -1; i < 2; i += 2)
    for (int j = -1; j < 2; j += 2) lit += texture(shadow_map, vec3(at.xy + vec2(i, j) * step, at.z));
  return lit / 4.0;
}

void main() {
  vec3 to_eye = normalize(eye - scene_position);
  vec3 face_normal = normalize(cross(dFdx(scene_position), dFdy(scene_position)));
  if (dot(face_normal, to_eye) < 0.0) face_normal = -face_normal;
#ifdef FLAT
  vec3 normal = face_normal;
#else
  vec3 normal = normalize(scene_normal);
  if (dot(normal, face_normal) < 0.0) normal = -normal;  // the back of an open surface
#endif

  float sun = max(dot(normal, to_sun), 0.0);
#ifdef SHADOWS
  if (sun > 0.0) sun *= sunlight(face_normal);
#endif
  vec3 base = surface_colour.rgb;
  vec3 light = kSunLight * sun + lightWithoutSun(normal);
#ifdef GRID
  vec3 shaded = light * base * (abs(normal.z) > 0.7 ? underGrid(scene_position.xy + grid_origin) : 1.0);
#else
  float aligned = max(dot(normal, normalize(to_sun + to_eye)), 0.0);
  aligned *= aligned;
  aligned *= aligned;
  aligned *= aligned;
  aligned *= aligned;
  vec3 shaded = light * base + vec3(0.06) * (aligned * aligned * aligned * sun);  // gloss: the 48th power
#endif

#ifdef WIREFRAME
  vec3 from_edge = corner / max(fwidth(corner), vec3(1e-6));
  float edge = 1.0 - smoothstep(0.3, 1.3, min(min(from_edge.x, from_edge.y), from_edge.z));
  // Triangles of a few pixels would be nothing but edges.
  vec3 slope = fwidth(corner);
  edge *= 1.0 - 0.75 * smoothstep(0.05, 0.35, max(max(slope.x, slope.y), slope.z));
  shaded = mix(shaded, shaded * 0.25, edge);
#endif
  float opacity = surface_colour.a;
#ifdef FADE
  opacity *= faded(scene_position);
#endif
  pixel = vec4(sqrt(shaded), opacity);  // sRGB, nearly
}
)";

/// The same, with light at the vertices alone, for drivers that draw on the processor. Features: SHADOWS,
/// GRID, FADE.
inline constexpr const char* kPlainVertex = R"(
uniform mat4 to_clip;  // scene -> clip
uniform vec3 viewer;   // the eye, in the scene
uniform bool two_sided;
uniform mat4 to_shadow;
uniform float shadow_texel;
uniform vec2 grid_origin;
out vec4 in_shade;
out vec3 in_sun;
out vec3 on_map;
out vec3 scene_position;
out vec3 on_grid;  // and how far it faces up
void main() {
  scene_position = placed(vec4(position, 1));
  vec3 n = normalize(placed(vec4(normal, 0)));
  if (two_sided && dot(n, viewer - scene_position) < 0.0) n = -n;
  vec3 shade = colour.rgb * lightWithoutSun(n);
  in_shade = vec4(sqrt(shade), colour.a);
  in_sun = sqrt(shade + colour.rgb * kSunLight * max(dot(n, to_sun), 0.0));
  on_map = (to_shadow * vec4(scene_position + n * (2.0 * shadow_texel), 1)).xyz;
  on_grid = vec3(scene_position.xy + grid_origin, abs(n.z));
  gl_Position = to_clip * vec4(scene_position, 1);
}
)";

inline constexpr const char* kPlainFragment = R"(
in vec4 in_shade;
in vec3 in_sun;
in vec3 on_map;
in vec3 scene_position;
in vec3 on_grid;
uniform sampler2DShadow shadow_map;
out vec4 pixel;
void main() {
#ifdef SHADOWS
  vec3 shaded = mix(in_shade.rgb, in_sun, texture(shadow_map, on_map));
#else
  vec3 shaded = in_sun;
#endif
#ifdef GRID
  if (on_grid.z > 0.7) shaded *= 0.5 + 0.5 * underGrid(on_grid.xy);  // near 1, half the way is the square root
#endif
  pixel = vec4(shaded, in_shade.a);
#ifdef FADE
  pixel.a *= faded(scene_position);
#endif
}
)";

/// Contacts: an arrow for each, all in one call.
inline constexpr const char* kContactVertex = R"(
layout(location = 0) in vec3 position;     // of the arrow, which runs along z from the origin to 1
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 contact_position;
layout(location = 3) in vec3 contact_normal;
layout(location = 4) in vec4 contact_colour;
uniform mat4 to_clip;
uniform float size;
out vec3 scene_normal;
out vec4 arrow_colour;
void main() {
  vec3 aside = normalize(abs(contact_normal.z) < 0.9 ? cross(contact_normal, vec3(0, 0, 1)) : cross(contact_normal, vec3(1, 0, 0)));
  mat3 turned = mat3(aside, cross(contact_normal, aside), contact_normal);
  scene_normal = turned * normal;
  arrow_colour = contact_colour;
  gl_Position = to_clip * vec4(contact_position + size * (turned * position), 1);
}
)";

inline constexpr const char* kContactFragment = R"(
in vec3 scene_normal;
in vec4 arrow_colour;
uniform vec3 to_sun;
uniform float opacity;
out vec4 pixel;
void main() {
  float light = 0.75 + 0.25 * dot(normalize(scene_normal), to_sun);
  pixel = vec4(arrow_colour.rgb * light, opacity);
}
)";

/// Lines and triangles laid over the picture. They lie in surfaces, so they are drawn a little nearer.
inline constexpr const char* kOverlayVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 colour;
uniform mat4 to_clip;
out vec4 overlay_colour;
void main() {
  overlay_colour = colour;
  gl_Position = to_clip * vec4(position, 1);
  gl_Position.z -= 2e-4 * gl_Position.w;
}
)";

inline constexpr const char* kOverlayFragment = R"(
in vec4 overlay_colour;
uniform float opacity;
out vec4 pixel;
void main() { pixel = vec4(overlay_colour.rgb, overlay_colour.a * opacity); }
)";

/// The background, a gradient from bottom to top.
inline constexpr const char* kBackgroundVertex = R"(
out float height;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  height = 0.5 * p.y + 0.5;
  gl_Position = vec4(p, 1, 1);
}
)";

inline constexpr const char* kBackgroundFragment = R"(
in float height;
uniform vec4 bottom;
uniform vec4 top;
out vec4 pixel;
void main() { pixel = vec4(mix(bottom.rgb, top.rgb, height), 1); }
)";

}  // namespace odemesh::sim::render
