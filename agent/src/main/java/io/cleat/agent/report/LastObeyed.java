package io.cleat.agent.report;

import io.cleat.base.DiskTrouble;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import io.cleat.wire.ToServer.Obeyed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom this node has obeyed, and how far: in a file, so that neither its own restart nor the server's makes it obey
 * another past. An empty server would have it end all that runs here, and one that was restored from an older copy
 * would have it end what came after.
 *
 * <p>One thread.
 */
public final class LastObeyed {
    private static final Logger LOG = LoggerFactory.getLogger(LastObeyed.class);
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("obey", 2, Stored.class);

    /** As in the file. */
    record Stored(
            String clusterId,
            long version,
            long reign,
            @Nullable String lineage) {}

    private final Path file;
    private @Nullable Obeyed obeyed;

    private LastObeyed(Path file, @Nullable Obeyed obeyed) {
        this.file = file;
        this.obeyed = obeyed;
    }

    /**
     * What {@code file} holds; nobody yet if it is not there.
     *
     * @throws DiskTrouble if it cannot be read: the node then obeys nobody
     */
    public static LastObeyed at(Path file) throws DiskTrouble {
        if (Files.notExists(file)) {
            return new LastObeyed(file, null);
        }
        Stored stored = FORMAT.decodeFile(
                file,
                "It says whom this node has obeyed, and how far: put it back from a copy."
                        + " Without it the node obeys whichever server it reaches first:"
                        + " remove it only if that is its own, and knows all that it did,"
                        + " see docs/other-past.md");
        return new LastObeyed(file, obeyed(stored));
    }

    /** For the opening of a session; null as long as nobody was obeyed. */
    @Nullable
    Obeyed past() {
        return obeyed;
    }

    /**
     * Takes a server that has let this node in for its own.
     *
     * @return why not; then nothing is changed
     */
    Optional<String> join(String clusterId, long reign) {
        Obeyed before = obeyed;
        if (before == null) {
            keep(new Obeyed(clusterId, 0, reign, ""));
        } else if (!before.clusterId().equals(clusterId)) {
            return Optional.of(before.isNotOf(clusterId));
        } else if (reign > before.reign()) {
            keep(new Obeyed(clusterId, before.version(), reign, before.lineage()));
        }
        return Optional.empty();
    }

    /**
     * A person has decided that the server's past is this node's, whatever it has acted on.
     *
     * @param reign of the server, which may be an earlier one
     */
    void beginAnew(long reign) {
        Obeyed before = obeyed;
        if (before != null) {
            keep(new Obeyed(before.clusterId(), 0, reign, ""));
        }
    }

    /**
     * Notes that this version is about to be acted on; durable on return, unless the disk takes nothing.
     *
     * @param lineage the reign that was open with it
     * @return false if a later one was acted on before: this one is to be ignored
     */
    boolean obey(long version, String lineage) {
        Obeyed before = obeyed;
        if (before == null) {
            throw new IllegalStateException("no server has let this node in");
        }
        if (version > before.version()) {
            keep(new Obeyed(before.clusterId(), version, before.reign(), lineage));
        }
        return version >= before.version();
    }

    /** An older program did not note the lineage. */
    private static Obeyed obeyed(Stored stored) {
        String lineage = stored.lineage();
        return new Obeyed(stored.clusterId(), stored.version(), stored.reign(), lineage == null ? "" : lineage);
    }

    /** On a full disk the server is obeyed all the same: that may be what makes room. */
    private void keep(Obeyed next) {
        obeyed = next;
        try {
            DurableFiles.write(
                    file,
                    FORMAT.encodeForFile(new Stored(next.clusterId(), next.version(), next.reign(), next.lineage())));
        } catch (DiskTrouble trouble) {
            LOG.warn(
                    "whom this node obeys is not noted, so a restart would know an older state of it: {}",
                    trouble.reason());
        }
    }
}
