/** @file
 * odemesh: replaces the trimesh-trimesh and trimesh-plane colliders of the Open Dynamics Engine by one call.
 *
 *     dInitODE2(0);
 *     if (odemeshInstall() != ODEMESH_OK) puts(odemeshLastError());
 *
 * From then on dCollide and dSpaceCollide use odemesh for every pair of trimesh geoms, and for every
 * trimesh geom with a plane, those that exist already included. Contacts follow ODE's rules: positions in the
 * world frame, unit normals that point into g1, positive depths in ODE's unit of length, triangle indices in
 * side1 and side2 (-1 for a plane), the deepest contact first. A caller that asks for one contact with
 * CONTACTS_UNIMPORTANT wants to know whether the geoms touch: two trimeshes whose surfaces meet get that of
 * the first two triangles that are found, soon, and told from these two alone. Contacts in which two free
 * bodies sink into each other are given more than once (see odemeshCollideSpeculative), each as it is. Where
 * bodies strike each other with a patch of several contacts within 30% of the smaller mesh's radius, faster
 * than a fall from 2% of that radius and through three steps of 1/60 s, one contact stands for these, through
 * which the impulses that stop them act together: QuickStep's iterations do not tell such contacts apart, so
 * that what bounces gains energy. Contacts at which they part as fast meanwhile are left out, for the same
 * reason.
 *
 * No function here throws or aborts. Install, uninstall and the options are for one thread at a time, with no
 * dCollide under way; collisions themselves may run on any number of threads at once. */
#ifndef ODEMESH_H
#define ODEMESH_H

#include <ode/ode.h>
#include <odemesh/export.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the functions below return. odemeshErrorText() gives a sentence for each. */
enum {
  ODEMESH_OK = 0,
  ODEMESH_ERROR_NOT_INITIALISED = 1, /**< dInitODE or dInitODE2 has not been called */
  ODEMESH_ERROR_PRECISION = 2,       /**< this library and the ODE in the process differ in dReal */
  ODEMESH_ERROR_NO_TRIMESH = 3,      /**< the ODE in the process was built without trimesh support */
  ODEMESH_ERROR_ARGUMENT = 4,        /**< a null pointer, a wrong size or a value out of range */
  ODEMESH_ERROR_MESH = 5,            /**< the mesh has no usable triangle */
  ODEMESH_ERROR_MEMORY = 6,          /**< out of memory */
  ODEMESH_ERROR_OTHER_COPY = 7,      /**< another copy of this library is installed in the process */
  ODEMESH_ERROR_CALLBACK = 8         /**< the program's near callback threw an exception */
};

/** How changes of a mesh's data are noticed; see odemeshOptions.freshness. */
enum {
  ODEMESH_FRESHNESS_AUTO = 0,    /**< by watching ODE's calls where that works for a mesh, else by COMPARE */
  ODEMESH_FRESHNESS_COMPARE = 1, /**< compare the content at each call: notices any edit, ~30 ns a triangle */
  ODEMESH_FRESHNESS_EXPLICIT = 2 /**< destruction, and what odemeshMeshChanged() is told of, alone */
};

/** Options. Fill them with odemeshDefaultOptions() first, which sets `size`; fields are only ever added at
 * the end. */
typedef struct odemeshOptions {
  size_t size;       /**< sizeof(odemeshOptions) of the program that fills it */
  int contact_limit; /**< most contacts of one pair, whatever the caller allows; 0: no limit */
  /** A length, at least 0; at 0 (the default) only overlapping contacts. Solids that are closer give contacts
   * of negative depth, minus the gap: for programs that ask for that and call dCollide themselves, since
   * ODE's spaces drop pairs that are apart. What overlaps has the contacts that it has without, and they come
   * first. Of two meshes that are farther apart than the smaller one's radius, there is one contact, at the
   * closest points. */
  double contact_margin;
  int freshness;          /**< ODEMESH_FRESHNESS_... */
  int triangle_callbacks; /**< nonzero: ask each geom's dTriCallback about its triangles; default 0 */
} odemeshOptions;

/** What happened since the installation or the last odemeshResetCounters(). */
typedef struct odemeshCounters {
  size_t size;              /**< sizeof(odemeshCounters) of the program that asks */
  unsigned long long pairs; /**< calls of the collider, and pairs that odemeshSpaceCollide spares it */
  unsigned long long colliding_pairs;  /**< calls that gave at least one contact */
  unsigned long long contacts;         /**< contacts returned */
  unsigned long long contacts_dropped; /**< contacts found beyond the caller's limit */
  unsigned long long meshes_built;     /**< times that a mesh was preprocessed */
  unsigned long long bad_triangles;    /**< triangles left out of those meshes (zero area, NaN, ...) */
  unsigned long long errors; /**< calls that gave no contact because of an error; see odemeshLastError */
  unsigned long long zero_area_triangles; /**< those of bad_triangles whose corners lie on a line */
  /** Of meshes_built: open, one-sided, inside out, or with edges of more than two triangles. They hold bodies
   * on the side of their greater part or centre, and can't push out what is behind. */
  unsigned long long meshes_without_inside;
  /** Calls in which a piece of one mesh lay wholly inside the other: it is sent out by the shortest way,
   * which need not be the way it came. */
  unsigned long long contained_pairs;
  unsigned long long unsound_contacts; /**< contacts left out because a number in them was not finite */
  /** Preprocessed meshes dropped because their data were rebuilt, updated or edited, or replaced by others at
   * the same address. */
  unsigned long long data_changes;
  /** Of pairs: those answered from memory, since nothing had moved or changed since the last calls. */
  unsigned long long repeated_pairs;
} odemeshCounters;

/** What is known of one mesh. */
typedef struct odemeshMeshInfo {
  size_t size;               /**< sizeof(odemeshMeshInfo) of the program that asks */
  size_t triangles;          /**< triangles in use, flat parts merged, and cut at vertices on their borders */
  size_t bad_triangles;      /**< triangles left out */
  size_t vertices;           /**< after welding */
  size_t border_edges;       /**< 0 for a closed surface */
  size_t non_manifold_edges; /**< edges with more than two triangles that bound no solid */
  size_t flipped_edges;      /**< edges of the data across which the winding changes; triangles are turned */
  size_t components;         /**< pieces connected by edges */
  int watertight;            /**< 1: closed, manifold and, once triangles are turned, consistently wound */
  double volume;             /**< negative if the surface is inside out; meaningful if watertight */
  size_t memory_bytes;       /**< what the preprocessed mesh occupies */
} odemeshMeshInfo;

/** Registers the colliders for (dTriMeshClass, dTriMeshClass) and (dTriMeshClass, dPlaneClass). To be called
 * after dInitODE/dInitODE2, and again after a dCloseODE and a new init. Calling it twice does no harm. Of
 * several copies of this library in a process (a program and a plugin may each have brought one), one at a
 * time can be installed; the others get ODEMESH_ERROR_OTHER_COPY, and their program has the colliders all the
 * same.
 * Returns ODEMESH_OK or an error from the list above, in which case nothing has changed. */
ODEMESH_API int odemeshInstall(void);

/** Puts ODE's own collider back: the same contacts in the same order as before the installation. Frees the
 * preprocessed meshes. Does nothing if odemesh is not installed. */
ODEMESH_API void odemeshUninstall(void);

/** Puts ODE's own collider back as well, but keeps the preprocessed meshes, so that a program can go from one
 * collider to the other at every step; odemeshInstall() goes on with odemesh. Does nothing if odemesh is not
 * installed. */
ODEMESH_API void odemeshSuspend(void);

/** 1 between a successful odemeshInstall and the next odemeshUninstall or odemeshSuspend: also after a
 * dCloseODE and a new init, which put ODE's own colliders back without telling, until odemeshInstall is
 * called again. */
ODEMESH_API int odemeshIsInstalled(void);

/** "major.minor.patch" of the library (semantic versioning: before 1.0.0, a new minor version may break). */
ODEMESH_API const char* odemeshVersion(void);
/** The same as major * 10000 + minor * 100 + patch. */
ODEMESH_API int odemeshVersionNumber(void);

/** A sentence for an error code, with the remedy. Never null. */
ODEMESH_API const char* odemeshErrorText(int code);

/** The last error or warning on this thread, naming the thing and the remedy; "" if there was none. Valid
 * until the next call of this library on this thread. */
ODEMESH_API const char* odemeshLastError(void);

/** Fills `options`, `size` bytes long, with the defaults and sets its size field. */
ODEMESH_API void odemeshDefaultOptionsOfSize(odemeshOptions* options, size_t size);

/** The same with the size that the program was compiled with, which may be less than that of the library in
 * use. */
static inline void odemeshDefaultOptions(odemeshOptions* options) {
  odemeshDefaultOptionsOfSize(options, sizeof *options);
}

/** Fills `options` (whose size field is set) with those in force. */
ODEMESH_API int odemeshGetOptions(odemeshOptions* options);
/** New options, from the next collision on. Returns ODEMESH_ERROR_ARGUMENT and changes nothing if a value is
 * out of range, or if options are set that this library is too old to know. */
ODEMESH_API int odemeshSetOptions(const odemeshOptions* options);

/** Preprocesses a mesh now rather than at its first collision. ODEMESH_ERROR_MESH if it has no usable
 * triangle. */
ODEMESH_API int odemeshPrepare(dTriMeshDataID data);

/** Tells that the vertices or indices behind `data` have been edited in place. Needed only where the edit is
 * not followed by dGeomTriMeshDataUpdate (on which ODE itself crashes if the mesh is of one triangle), or
 * with ODEMESH_FRESHNESS_EXPLICIT. */
ODEMESH_API int odemeshMeshChanged(dTriMeshDataID data);

/** Fills `info` (whose size field is set), preprocessing the mesh if that has not happened yet. */
ODEMESH_API int odemeshGetMeshInfo(dTriMeshDataID data, odemeshMeshInfo* info);

/** dCollide for bodies that move far within a step, to be called in its place by a near callback. Fills
 * `contacts` (`stride` bytes apart, at most as many as the low half of `flags` says) with what dCollide
 * finds, and then with contacts for what two meshes, or a mesh and a plane, would meet on their way within
 * `dt`, the step that follows: these allow them to come as near as they are and no nearer, by
 * dContactMotionN. Left out is what contacts all around the bodies' centres that hardly give way (by the
 * constraint force mixing of `surface`, or else the world's) prevent as well. Each contact's `surface` is
 * a copy of `surface` (or zero, if that is null), with motionN and, where it bounces, a bounce set to that
 * end; do not overwrite it. Of several impacts the first bounces, and those that it does not prevent.
 * Returns the number of contacts. So they do for what would meet as these contacts stop the bodies
 * elsewhere, as the other end of a rod that strikes the ground with one; what is to bounce there, or meets
 * soft ground, may sink in by a quarter of the radius of the sphere that has the thinner mesh's ratio of
 * volume to area. And so they do for what two free meshes that move would meet if either were stopped by
 * others, as the links of a chain that falls or the parts of a stack that lands are. Of meshes of up to 256
 * triangles (one of the two, where they touch at two points or more; a plane has none) that rock a little on
 * the corners on which they stand, or have just lost the last of them, corners that hover by no more than
 * gravity makes them fall in a step, and 1% of the smaller mesh's radius, get such contacts, too, which do
 * not bounce. So do the closest points of finer ones that lost the last contact in the step before, as links
 * of a chain do that hangs. Other bodies that move little for their size get what dCollide finds alone. Of
 * pairs that touch in at most five contacts, those that are deeper than 0.15% of the smaller mesh's radius,
 * and that the last step did not part as fast as it was to, are given five or seven times, within 0.3% of
 * that radius and 15 of a pair in all, unless they give way by that mixing, and together act as one:
 * QuickStep looks at each contact once an iteration, and chains and nets sink in where its iterations do not
 * suffice. What strikes is told by `dt` here. Contacts at which the bodies part, faster than the surface's
 * bounce_vel if it bounces, let them come back by what bounces take of that speed, by motionN again: held
 * there while others drive them back, they would gain energy. Positions are those of before the step. Works
 * with and without odemeshInstall; with it, a collider that the program has set for trimeshes since is not
 * asked. Where there is room for few, up to half of it goes to what will be met. */
ODEMESH_API int odemeshCollideSpeculative(dGeomID g1, dGeomID g2, dReal dt, int flags,
                                          const dSurfaceParameters* surface, dContact* contacts, int stride);

/** Calls `callback` for the pairs of `space` (and its subspaces) that dSpaceCollide leaves out, since their
 * boxes are apart, but of which one is a trimesh that will reach the other's box within `dt`, or would if the
 * other were stopped. To be called after dSpaceCollide with the same callback. Linear in the number of geoms
 * for each fast one. Returns ODEMESH_OK or an error; an exception of the callback ends the pass and becomes
 * ODEMESH_ERROR_CALLBACK. */
ODEMESH_API int odemeshSpaceCollideSwept(dSpaceID space, dReal dt, void* data, dNearCallback* callback);

/** dSpaceCollide and odemeshSpaceCollideSwept in one pass over the geoms of `space`, and cheaper than both.
 * Calls `callback` for the pairs of its geoms whose boxes meet, then for those that a fast trimesh will bring
 * together within `dt`, or would if one were stopped, by what this call reports or by a joint. Left out are
 * pairs of trimeshes of which their oriented boxes, or what was found at the last steps, tell that
 * odemeshCollideSpeculative would find nothing, and those that follow each other where nothing stops the
 * first; `apart`, unless null, is set to their number. Then goes on as odemeshSpaceCollideStruck does, with
 * what odemeshCollideSpeculative gave the callback on this thread. Subspaces are reported as dSpaceCollide
 * reports them. The order is that of a sweep-and-prune space along x, whatever kind of space it is. Returns
 * ODEMESH_OK or an error; an exception of the callback ends the pass and becomes ODEMESH_ERROR_CALLBACK. */
ODEMESH_API int odemeshSpaceCollide(dSpaceID space, dReal dt, void* data, dNearCallback* callback,
                                    int* apart);

/** What is struck within `dt` by a fast trimesh goes on and strikes others within the same step. To be called
 * when all of the step's `contacts` (`count` of them, `stride` bytes apart, those of one pair side by side)
 * are known; those without geoms are left out. Calls `callback` for pairs of two trimeshes, or a trimesh and
 * a plane, of `space` (and its subspaces) of which these contacts drive one fast towards the other, whether
 * they have contacts or not; then for those that the contacts so found drive, and so on, eight times at most,
 * and three times at most for a pair. During a call, odemeshCollideSpeculative, called for the pair on the
 * same thread, reckons with these motions, and gives only what is to be added to the pair's contacts.
 * odemeshSpaceCollide does the same with what its callback was given; programs need this one if they collect
 * the pairs and collide them later. Linear in the number of geoms for each body that is struck. Returns
 * ODEMESH_OK or an error; an exception of the callback ends the pass and becomes ODEMESH_ERROR_CALLBACK. */
ODEMESH_API int odemeshSpaceCollideStruck(dSpaceID space, dReal dt, const dContact* contacts, int count,
                                          int stride, void* data, dNearCallback* callback);

/** Fills `counters` (whose size field is set). */
ODEMESH_API int odemeshGetCounters(odemeshCounters* counters);
/** Sets all counts to zero. */
ODEMESH_API void odemeshResetCounters(void);

#ifdef __cplusplus
}
#endif

#endif
