package io.cleat.agent.alloc;

import io.cleat.kernel.FileSystems;

/**
 * How much of what ended allocations have left on the disk is kept. What goes is what ended first.
 *
 * @param allocations how many keep all their files; the others keep their logs
 * @param diskPercent beyond which use of the disk none keeps more than its logs, and none even those beyond half of
 *     what is free then
 * @param inodePercent the same of the file system's places for files, where it has a bound of them
 */
public record KeptFiles(int allocations, int diskPercent, int inodePercent) {
    public static final KeptFiles USUAL = new KeptFiles(50, 80, 70);

    /** What is left of one that ended. */
    enum Left {
        ALL,
        LOGS,
        NOTHING
    }

    /** The most that any that ended may keep. */
    Left most(FileSystems.Usage usage) {
        if (isBeyond(usage, half(diskPercent), half(inodePercent))) {
            return Left.NOTHING;
        }
        return isBeyond(usage, diskPercent, inodePercent) ? Left.LOGS : Left.ALL;
    }

    private static int half(int percent) {
        return percent + (100 - percent) / 2;
    }

    private static boolean isBeyond(FileSystems.Usage usage, int disk, int inodes) {
        return part(usage.used(), usage.used() + usage.available()) > disk
                || part(usage.inodes() - usage.inodesFree(), usage.inodes()) > inodes;
    }

    private static double part(long used, long all) {
        return all == 0 ? 0 : 100.0 * used / all;
    }
}
