// report/view/library.h - the scripts of others that pages hold, each as a text that ends with 0.
#ifndef FORESEE_REPORT_LIBRARY_H
#define FORESEE_REPORT_LIBRARY_H

extern const char library_three[]; // three.js (MIT): drawing in three dimensions
extern const char library_orbit[]; // its OrbitControls: turning the view by mouse and touch

#endif
