/**
 * The Linux kernel as the program sees it: mounts and the mount table, loop devices, processes, cgroups, path calls
 * with a deadline, and durable files.
 *
 * <p>Receives: paths, devices and process ids. Hands on: records of what the kernel says. Runs on: the caller's thread;
 * a call that may block in the kernel on a platform thread, or in the path worker. If it fails: a
 * {@link io.cleat.base.KernelTrouble} that says whether the call took effect.
 */
@NullMarked
package io.cleat.kernel;

import org.jspecify.annotations.NullMarked;
