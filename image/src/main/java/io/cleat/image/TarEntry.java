package io.cleat.image;

/**
 * What a tar archive says of one entry.
 *
 * @param name as it stands there
 * @param mode permission bits, with setuid, setgid and sticky
 * @param size bytes of its content, which follows; 0 for all but files
 * @param modified seconds since 1970
 * @param link what it leads to: of a hard link a name in the archive
 */
record TarEntry(String name, Kind kind, int mode, long uid, long gid, long size, long modified, String link) {
    enum Kind {
        FILE,
        HARD_LINK,
        LINK,
        CHARACTER,
        BLOCK,
        DIRECTORY,
        FIFO
    }
}
