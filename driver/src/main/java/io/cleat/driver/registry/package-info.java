/**
 * What names an image, and what its registry wants to know of whoever pulls it; for every driver whose tasks have
 * images.
 *
 * <p>Receives: names in jobs, and the operator's file and program of credentials. Hands on: their parts, and
 * credentials. Runs on: the caller's thread; a helper is a process. If it fails: a {@link io.cleat.base.DriverTrouble}
 * with no effect.
 */
@NullMarked
package io.cleat.driver.registry;

import org.jspecify.annotations.NullMarked;
