package io.cleat.launch;

import io.cleat.agent.alloc.KeptFiles;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import java.util.List;

/** The flags of a node that say how much of what ended allocations have left is kept. */
final class KeptFlags {
    private static final String ALLOCATIONS = "gc-max-allocs";
    private static final String DISK = "gc-disk-usage-threshold";
    private static final String INODES = "gc-inode-usage-threshold";

    static final List<Flag> OWN = List.of(
            Flag.value(
                    ALLOCATIONS,
                    "number",
                    "How many ended allocations of a node keep all their files; the others"
                            + " keep their logs; 50 unless given."),
            Flag.value(
                    DISK,
                    "percent",
                    "Beyond which use of the disk ended allocations keep their logs alone,"
                            + " and beyond half of what is free then, nothing; what ended"
                            + " first goes first; 80 unless given."),
            Flag.value(INODES, "percent", "The same for the number of files that the disk can hold; 70 unless given."));

    private KeptFlags() {}

    static KeptFiles read(Flags flags) throws Failure {
        KeptFiles usual = KeptFiles.USUAL;
        return new KeptFiles(
                flags.number(ALLOCATIONS, 0, 1_000_000, usual.allocations()),
                flags.number(DISK, 0, 100, usual.diskPercent()),
                flags.number(INODES, 0, 100, usual.inodePercent()));
    }
}
