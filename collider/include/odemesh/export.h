/* Marks the symbols that the shared library exports; everything else in it is hidden. */
#ifndef ODEMESH_EXPORT_H
#define ODEMESH_EXPORT_H

#if defined(ODEMESH_STATIC)
#define ODEMESH_API
#elif defined(_WIN32)
#if defined(ODEMESH_BUILDING)
#define ODEMESH_API __declspec(dllexport)
#else
#define ODEMESH_API __declspec(dllimport)
#endif
#else
#define ODEMESH_API __attribute__((visibility("default")))
#endif

#endif
