/**
 * What a block may hold, as a plugin says it, and how such a block is sent to it.
 *
 * <p>Receives: a plugin's schema, and blocks as job files and settings have them. Hands on: all that is wrong with a
 * block in words, or its bytes in MessagePack. Runs on: the caller's thread. If it fails: a schema that cannot be read
 * is a {@link io.cleat.base.DriverTrouble}.
 */
@NullMarked
package io.cleat.driverplugin.config;

import org.jspecify.annotations.NullMarked;
