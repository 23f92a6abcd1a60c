package io.cleat.server.commit;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** What the log holds. Sealed and versioned: a new kind needs a new format version. */
sealed interface Entry {
    String reign();

    /** A leadership begins; every entry of an earlier reign that comes later changes nothing. */
    record ReignOpened(String reign) implements Entry {}

    /**
     * Decisions, in order.
     *
     * @param number place in the reign; from 0
     * @param versionBefore number of the last decision before these
     */
    record ChangeSet(String reign, long number, long versionBefore, Instant decidedAt, List<Decided> decisions)
            implements Entry {
        public ChangeSet {
            decisions = List.copyOf(decisions);
        }
    }

    /**
     * A digest of an image's bytes, as programs before feature level 4 took it of small images. Read and not compared:
     * another program writes the same image in other bytes.
     */
    record DigestTaken(String reign, long number, long version, long digest) implements Entry {}

    /** The number of the image at this place of the log, to be compared by everyone. */
    record SumTaken(String reign, long number, long version, long sum) implements Entry {}

    /** One decision: its changes as stored, or a new feature level. Immutable. */
    final class Decided {
        private final int level;
        private final byte[] changes;

        /** @param level the new feature level; 0 for none */
        Decided(int level, byte[] changes) {
            this.level = level;
            this.changes = changes;
        }

        int level() {
            return level;
        }

        byte[] changes() {
            return changes;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Decided that && level == that.level && Arrays.equals(changes, that.changes);
        }

        @Override
        public int hashCode() {
            return 31 * level + Arrays.hashCode(changes);
        }

        @Override
        public String toString() {
            return level > 0 ? "level " + level : changes.length + " bytes";
        }
    }
}
