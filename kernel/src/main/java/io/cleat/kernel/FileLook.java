package io.cleat.kernel;

import java.time.Instant;

/**
 * What an entry of a directory is, a link itself and not what it points to.
 *
 * @param name the last part of its path; empty for a root
 * @param mode permission bits
 * @param size bytes
 */
public record FileLook(String name, PathStat.Type type, int mode, long size, Instant modified, long inode) {}
