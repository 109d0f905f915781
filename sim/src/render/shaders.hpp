// The shaders, in GLSL 3.30. Positions are relative to the camera's target, so that float suffices far from
// the origin.
#pragma once

namespace odemesh::sim::render {

/// Depth of the bodies as the light sees them.
inline constexpr const char* kShadowVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 to_light;
void main() { gl_Position = to_light * vec4(position, 1); }
)";

inline constexpr const char* kShadowFragment = R"(#version 330 core
void main() {}
)";

/// Surfaces: bodies and the ground.
inline constexpr const char* kSurfaceVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 to_scene;  // mesh -> scene: world axes, the camera's target as origin
uniform mat4 to_clip;   // scene -> clip
out vec3 scene_position;
out vec3 scene_normal;
out vec3 corner;        // which corner of its triangle this is
void main() {
  vec4 placed = to_scene * vec4(position, 1);
  scene_position = placed.xyz;
  scene_normal = mat3(to_scene) * normal;
  corner = vec3(gl_VertexID % 3 == 0, gl_VertexID % 3 == 1, gl_VertexID % 3 == 2);
  gl_Position = to_clip * placed;
}
)";

inline constexpr const char* kSurfaceFragment = R"(#version 330 core
in vec3 scene_position;
in vec3 scene_normal;
in vec3 corner;
uniform vec4 colour;         // linear
uniform vec3 eye;            // in the scene
uniform vec3 to_sun;
uniform vec3 to_fill;        // the weak light from the other side
uniform mat4 to_shadow;      // scene -> shadow map, 0 to 1
uniform float shadow_texel;  // length of a texel of the map in the scene
uniform sampler2DShadow shadow_map;
uniform bool has_shadows;
uniform bool flat_shading;
uniform bool wireframe;
uniform float grid_cell;     // 0: no grid
uniform vec2 grid_origin;    // of the scene's origin within a cell
uniform vec2 fade;           // distances from the scene's origin at which the ground begins and ends to fade
out vec4 pixel;

// The share of sunlight that arrives: 4 bilinear look-ups over 4 x 4 texels (percentage closer filtering, Reeves,
// Salesin and Cook 1987). The look-up is moved along the normal, which keeps surfaces from shading themselves without
// detaching shadows from what casts them.
float sunlight(vec3 face_normal) {
  if (!has_shadows) return 1.0;
  float slope = 1.0 - max(dot(face_normal, to_sun), 0.0);
  vec3 at = (to_shadow * vec4(scene_position + face_normal * shadow_texel * (0.6 + 2.0 * slope), 1)).xyz;
  if (any(lessThan(at, vec3(0))) || any(greaterThan(at, vec3(1)))) return 1.0;
  vec2 step = 1.0 / vec2(textureSize(shadow_map, 0));
  float lit = 0.0;
  for (int i = -1; i < 2; i += 2)
    for (int j = -1; j < 2; j += 2) lit += texture(shadow_map, vec3(at.xy + vec2(i, j) * step, at.z));
  return lit / 4.0;
}

// How much of this pixel a grid of lines covers; lines thinner than a pixel fade instead of flickering.
float gridLines(vec2 p, float cell, float width_in_pixels) {
  vec2 q = p / cell;
  vec2 pixel_size = max(fwidth(q), vec2(1e-6));
  vec2 distance_to_line = abs(fract(q - 0.5) - 0.5);
  vec2 covered = 1.0 - smoothstep(0.5 * width_in_pixels - 0.5, 0.5 * width_in_pixels + 0.5, distance_to_line / pixel_size);
  covered *= 1.0 - smoothstep(0.15, 0.5, pixel_size);
  return max(covered.x, covered.y);
}

void main() {
  vec3 to_eye = normalize(eye - scene_position);
  vec3 face_normal = normalize(cross(dFdx(scene_position), dFdy(scene_position)));
  if (dot(face_normal, to_eye) < 0.0) face_normal = -face_normal;
  vec3 normal = flat_shading ? face_normal : normalize(scene_normal);
  if (dot(normal, face_normal) < 0.0) normal = -normal;  // the back of an open surface

  float sun = max(dot(normal, to_sun), 0.0);
  if (sun > 0.0) sun *= sunlight(face_normal);
  float fill = max(dot(normal, to_fill), 0.0);
  float sky = 0.5 + 0.5 * normal.z;
  vec3 half_way = normalize(to_sun + to_eye);
  float aligned = max(dot(normal, half_way), 0.0);
  aligned *= aligned;
  aligned *= aligned;
  aligned *= aligned;
  aligned *= aligned;
  float gloss = aligned * aligned * aligned * sun;  // the 48th power

  vec3 base = colour.rgb;
  if (grid_cell > 0.0 && abs(normal.z) > 0.7) {
    vec2 p = scene_position.xy + grid_origin;
    base *= 1.0 - 0.18 * gridLines(p, grid_cell, 1.2) - 0.22 * gridLines(p, 5.0 * grid_cell, 1.8);
  }
  vec3 light = vec3(1.0, 0.96, 0.89) * 0.78 * sun + vec3(0.75, 0.85, 1.0) * 0.10 * fill +
               mix(vec3(0.20, 0.19, 0.18), vec3(0.36, 0.39, 0.44), sky);
  vec3 shaded = base * light + vec3(0.06) * gloss * step(grid_cell, 0.0);

  if (wireframe) {
    vec3 from_edge = corner / max(fwidth(corner), vec3(1e-6));
    float edge = 1.0 - smoothstep(0.3, 1.3, min(min(from_edge.x, from_edge.y), from_edge.z));
    // Triangles of a few pixels would be nothing but edges.
    vec3 slope = fwidth(corner);
    edge *= 1.0 - 0.75 * smoothstep(0.05, 0.35, max(max(slope.x, slope.y), slope.z));
    shaded = mix(shaded, shaded * 0.25, edge);
  }
  float opacity = colour.a;
  if (fade.y > 0.0) {
    opacity *= 1.0 - smoothstep(fade.x, fade.y, length(scene_position));
    if (eye.z < scene_position.z) opacity *= 0.25;  // from below, one looks through the ground
  }
  pixel = vec4(sqrt(shaded), opacity);  // sRGB, nearly
}
)";

/// Contacts: an arrow for each, all in one call.
inline constexpr const char* kContactVertex = R"(#version 330 core
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

inline constexpr const char* kContactFragment = R"(#version 330 core
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
inline constexpr const char* kOverlayVertex = R"(#version 330 core
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

inline constexpr const char* kOverlayFragment = R"(#version 330 core
in vec4 overlay_colour;
uniform float opacity;
out vec4 pixel;
void main() { pixel = vec4(overlay_colour.rgb, overlay_colour.a * opacity); }
)";

/// The background, a gradient from bottom to top.
inline constexpr const char* kBackgroundVertex = R"(#version 330 core
out float height;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  height = 0.5 * p.y + 0.5;
  gl_Position = vec4(p, 1, 1);
}
)";

inline constexpr const char* kBackgroundFragment = R"(#version 330 core
in float height;
uniform vec4 bottom;
uniform vec4 top;
out vec4 pixel;
void main() { pixel = vec4(mix(bottom.rgb, top.rgb, height), 1); }
)";

}  // namespace odemesh::sim::render
