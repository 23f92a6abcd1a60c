/**
 * The bundled CSI driver: volumes that are directories, images or raw devices in a pool on this machine.
 *
 * <p>Receives: CSI calls on a Unix socket, from any orchestrator. Hands on: mounts, loop devices, and one small file
 * per volume or snapshot. Runs on: one event loop, and a virtual thread for each call. If it fails: the caller gets a
 * status and a sentence; what was half made is finished by the same call or cleared at the next start.
 */
@NullMarked
package io.cleat.localplugin;

import org.jspecify.annotations.NullMarked;
