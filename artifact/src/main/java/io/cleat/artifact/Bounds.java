package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limits of one artifact, and what it has taken of them. What would be too much is refused before it is written.
 * One thread.
 */
final class Bounds {
    /** An archive that holds no more than this may be packed as well as it likes. */
    static final int ANY_RATIO = 16 << 20;

    /** Bytes a second. */
    static final int SLOWEST = 1 << 10;

    /** As the kernel has it of a file that is larger than this process may make one. */
    static final String TOO_LARGE = "File too large";

    private final FetchLimits limits;
    private final Disk disk;
    private final Deadline deadline;
    private long downloaded;
    private long unpacked;
    private long packed = Long.MAX_VALUE;
    private int entries;

    /** What all artifacts of a task have taken of their disk. Any thread. */
    static final class Disk {
        private final AtomicLong downloaded = new AtomicLong();
        private final AtomicLong kept = new AtomicLong();
    }

    Bounds(FetchLimits limits, Disk disk, Deadline deadline) {
        this.limits = limits;
        this.disk = disk;
        this.deadline = deadline;
    }

    Deadline deadline() {
        return deadline;
    }

    /** For how long less than {@link #SLOWEST} is borne. */
    Duration patience() {
        return limits.patience();
    }

    /** A download says how long it is. */
    void announced(long bytes) throws ArtifactTrouble {
        if (bytes > limits.download()) {
            throw tooLarge();
        }
        if (bytes > limits.disk()) {
            throw tooMuchForTheDisk();
        }
    }

    /** So many bytes more are downloaded. */
    void download(long more) throws ArtifactTrouble {
        downloaded += more;
        if (downloaded > limits.download()) {
            throw tooLarge();
        }
        if (disk.downloaded.addAndGet(more) > limits.disk()) {
            throw tooMuchForTheDisk();
        }
        requireTime();
    }

    /** What was downloaded is what was asked for, and is kept as it is. */
    void keepDownload() throws ArtifactTrouble {
        keep(downloaded);
    }

    /** From here on an archive of so many bytes is unpacked. */
    void unpackFrom(long bytes) {
        packed = bytes;
    }

    /** So many bytes more come from an archive, a repository or a directory. */
    void unpack(long more) throws ArtifactTrouble {
        unpacked += more;
        if (unpacked > limits.unpacked()) {
            throw FreshTree.refused("it holds more than "
                    + limits.unpacked()
                    + " bytes unpacked, the most that this agent takes (-artifact-max-unpacked)");
        }
        if (unpacked > ANY_RATIO && unpacked / limits.ratio() > packed) {
            throw FreshTree.refused("it holds more than "
                    + limits.ratio()
                    + " times the "
                    + packed
                    + " bytes of its archive, as what is made to fill disks does; if it is"
                    + " meant so, have the agent started with a larger"
                    + " -artifact-max-ratio");
        }
        keep(more);
        requireTime();
    }

    private void keep(long more) throws ArtifactTrouble {
        if (disk.kept.addAndGet(more) > limits.disk()) {
            throw tooMuchForTheDisk();
        }
    }

    /** One entry more comes. */
    void entry() throws ArtifactTrouble {
        if (++entries > limits.files()) {
            throw tooMany();
        }
        requireTime();
    }

    /** @param more at least so many entries are to come */
    void requireEntries(long more) throws ArtifactTrouble {
        if (entries + more > limits.files()) {
            throw tooMany();
        }
    }

    void requireTime() throws ArtifactTrouble {
        if (deadline.isExpired()) {
            throw late(limits.time());
        }
    }

    /** Downloads from a stream that is at hand. */
    void copy(InputStream from, OutputStream to) throws IOException, ArtifactTrouble {
        byte[] piece = new byte[1 << 16];
        for (int got = from.read(piece); got >= 0; got = from.read(piece)) {
            download(got);
            to.write(piece, 0, got);
        }
    }

    ArtifactTrouble late() {
        return late(limits.time());
    }

    static ArtifactTrouble late(Duration limit) {
        return new ArtifactTrouble(
                "it was not there after "
                        + limit.toSeconds()
                        + " s, the longest that this agent waits (-artifact-timeout)",
                Retry.SAME_CALL);
    }

    ArtifactTrouble slow() {
        return new ArtifactTrouble(
                "it came with less than "
                        + SLOWEST
                        + " bytes a second for "
                        + limits.patience().toSeconds()
                        + " s; its server or the way to it is too slow: try again, or take it from elsewhere",
                Retry.SAME_CALL);
    }

    private ArtifactTrouble tooLarge() {
        return FreshTree.refused("it is larger than "
                + limits.download()
                + " bytes, the most that this agent downloads (-artifact-max-download)");
    }

    ArtifactTrouble tooMuchForTheDisk() {
        return FreshTree.refused("it has, with the other artifacts of its task, more than "
                + limits.disk()
                + " bytes, the disk of its group; take less, or give the group a larger ephemeral_disk");
    }

    private ArtifactTrouble tooMany() {
        return FreshTree.refused("it has more than "
                + limits.files()
                + " entries, the most that this agent takes (-artifact-max-files)");
    }
}
