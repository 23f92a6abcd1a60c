package io.cleat.state;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.codec.RecordCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An image as a stream of parts, row by row: each part is its length in 4 bytes and an envelope with its version and
 * checksum, so that neither writing nor reading holds a copy of the whole.
 *
 * <p>The same image is always the same bytes.
 */
public final class Snapshot {
    /** The largest part that is read: more than that is damage, not a row. */
    private static final int LARGEST_PART = 64 << 20;

    private static final RecordCodec<SnapshotPart> CODEC = RecordCodec.stored("snap", 20, SnapshotPart.class);

    private Snapshot() {}

    /** Writes the image; {@code to} is neither flushed nor closed. */
    public static void write(ClusterState state, OutputStream to) throws IOException {
        write(state, to, CODEC.version());
    }

    /**
     * Writes the image as programs of a feature level read it. What was stored before levels were kept may need more
     * than the level; such a part is written in the first version that has it.
     */
    public static void write(ClusterState state, OutputStream to, int level) throws IOException {
        Writer writer = new Writer(new DataOutputStream(to), level);
        Tables tables = state.tables();
        writer.part(header(state, tables));
        writer.rows(tables.nodes.all(), SnapshotPart.Node::new);
        writer.rows(tables.jobVersions.all(), SnapshotPart.JobText::new);
        writer.rows(tables.jobs.all(), SnapshotPart.Job::new);
        writer.rows(tables.evaluations.all(), SnapshotPart.Evaluation::new);
        writer.rows(tables.allocations.all(), SnapshotPart.Allocation::new);
        writer.rows(tables.volumes.all(), SnapshotPart.Volume::new);
        writer.rows(tables.claims.all(), SnapshotPart.Claim::new);
        writer.rows(tables.attachments.all(), SnapshotPart.Attachment::new);
        writer.rows(tables.operations.all(), SnapshotPart.Operation::new);
        writer.rows(tables.requests.all(), SnapshotPart.Request::new);
        writer.rows(tables.plugins.all(), SnapshotPart.Plugin::new);
        writer.rows(tables.nodeTombstones.all(), SnapshotPart.BuriedNode::new);
        writer.rows(tables.volumeTombstones.all(), SnapshotPart.BuriedVolume::new);
        writer.rows(tables.deployments.all(), SnapshotPart.Deployment::new);
        writer.rows(tables.remainders.all(), SnapshotPart.Left::new);
        writer.rows(tables.otherPasts.all(), SnapshotPart.OtherPast::new);
        writer.rows(tables.holdings.all(), SnapshotPart.Holding::new);
        writer.rows(tables.namespaces.all(), SnapshotPart.Namespace::new);
        writer.rows(tables.scheduling.all(), SnapshotPart.Scheduling::new);
        writer.rows(tables.variables.all(), SnapshotPart.Variable::new);
        writer.rows(tables.hostVolumes.all(), SnapshotPart.OfHost::new);
        writer.rows(tables.stickyClaims.all(), SnapshotPart.Sticky::new);
        writer.rows(tables.scaleEvents.all(), SnapshotPart.Scaled::new);
        writer.part(new SnapshotPart.End(writer.count));
    }

    /**
     * Reads an image, and nothing after it.
     *
     * @throws DiskTrouble if it is torn, damaged or of a newer version
     */
    public static ClusterState read(InputStream from) throws IOException, DiskTrouble {
        DataInputStream in = new DataInputStream(from);
        if (!(readPart(in) instanceof SnapshotPart.Header header)) {
            throw damaged("it does not begin with its header");
        }
        Tables tables = new Tables();
        long count = 1;
        SnapshotPart part = readPart(in);
        while (!(part instanceof SnapshotPart.End end)) {
            restoreOrRefuse(tables, part);
            count++;
            part = readPart(in);
        }
        if (end.parts() != count) {
            throw damaged("it ends after " + count + " parts and should have " + end.parts());
        }
        finish(tables, header);
        return new ClusterState(tables, header.version(), header.decidedAt());
    }

    /** SHA-256, in hex, of the snapshot that the image would be: equal images, equal digests. */
    public static String digest(ClusterState state) {
        MessageDigest digest = Sha256.begin();
        try {
            write(state, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException impossible) {
            throw new InvariantBroken("an image can be digested", impossible);
        }
    }

    private static SnapshotPart header(ClusterState state, Tables tables) {
        Map<String, Long> versions = new TreeMap<>();
        for (TableName name : TableName.values()) {
            if (state.version(name) > 0) {
                versions.put(name.name(), state.version(name));
            }
        }
        return new SnapshotPart.Header(state.version(), state.decidedAt(), tables.clusterId, versions);
    }

    private static SnapshotPart readPart(DataInputStream in) throws IOException, DiskTrouble {
        try {
            int length = in.readInt();
            if (length < 0 || length > LARGEST_PART) {
                throw damaged("a part of " + length + " bytes");
            }
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException();
            }
            return CODEC.decode(bytes);
        } catch (EOFException e) {
            throw damaged("it ends in the middle");
        }
    }

    /** A whole part may still lack what its table goes by. */
    private static void restoreOrRefuse(Tables tables, SnapshotPart part) throws DiskTrouble {
        try {
            restore(tables, part);
        } catch (RuntimeException unfit) {
            throw damaged("a part of it is no row: " + unfit);
        }
    }

    private static void restore(Tables tables, SnapshotPart part) throws DiskTrouble {
        switch (part) {
            case SnapshotPart.Header second -> throw damaged("it has two headers, " + second);
            case SnapshotPart.Node(var row) -> tables.restoreNode(row);
            case SnapshotPart.JobText(var row) -> tables.jobVersions = tables.jobVersions.restore(row);
            case SnapshotPart.Job(var row) -> tables.jobs = tables.jobs.restore(shared(tables, row));
            case SnapshotPart.Evaluation(var row) -> tables.evaluations = tables.evaluations.restore(row);
            case SnapshotPart.Allocation(var row) -> tables.restoreAllocation(row);
            case SnapshotPart.Volume(var row) -> tables.volumes = tables.volumes.restore(row);
            case SnapshotPart.Claim(var row) -> tables.restoreClaim(row);
            case SnapshotPart.Attachment(var row) -> tables.restoreAttachment(row);
            case SnapshotPart.Operation(var row) -> tables.operations = tables.operations.restore(row);
            case SnapshotPart.Request(var row) -> tables.requests = tables.requests.restore(row);
            case SnapshotPart.Plugin(var row) -> tables.plugins = tables.plugins.restore(row);
            case SnapshotPart.BuriedNode(var row) -> tables.nodeTombstones = tables.nodeTombstones.restore(row);
            case SnapshotPart.BuriedVolume(var row) -> tables.volumeTombstones = tables.volumeTombstones.restore(row);
            case SnapshotPart.Deployment(var row) -> tables.deployments = tables.deployments.restore(row);
            case SnapshotPart.Left(var row) -> tables.remainders = tables.remainders.restore(row);
            case SnapshotPart.OtherPast(var row) -> tables.otherPasts = tables.otherPasts.restore(row);
            case SnapshotPart.Holding(var row) -> tables.holdings = tables.holdings.restore(row);
            case SnapshotPart.Namespace(var row) -> tables.namespaces = tables.namespaces.restore(row);
            case SnapshotPart.Scheduling(var row) -> tables.scheduling = tables.scheduling.restore(row);
            case SnapshotPart.Variable(var row) -> tables.variables = tables.variables.restore(row);
            case SnapshotPart.OfHost(var row) -> tables.hostVolumes = tables.hostVolumes.restore(row);
            case SnapshotPart.Sticky(var row) -> tables.stickyClaims = tables.stickyClaims.restore(row);
            case SnapshotPart.Scaled(var row) -> tables.scaleEvents = tables.scaleEvents.restore(row);
            case SnapshotPart.End end -> throw damaged("its end is inside it, " + end);
        }
    }

    /** The job with the one copy of its version that the table of versions has. */
    private static JobRow shared(Tables tables, JobRow job) {
        JobVersionRow jobVersion = tables.jobVersions.get(job.current());
        return jobVersion != null && jobVersion.spec().equals(job.spec()) ? job.withSpec(jobVersion.spec()) : job;
    }

    /** A table that an older program did not have was never changed. */
    private static void finish(Tables tables, SnapshotPart.Header header) {
        tables.clusterId = header.clusterId();
        for (TableName name : TableName.values()) {
            tables.setVersion(name, header.tableVersions().getOrDefault(name.name(), 0L));
        }
    }

    private static DiskTrouble damaged(String why) {
        return new DiskTrouble(
                "cannot read the snapshot of the cluster's state: "
                        + why
                        + "; take an older snapshot, or another member's",
                Effect.NONE,
                Retry.NEVER);
    }

    /** Counts what it writes. */
    private static final class Writer {
        private final DataOutputStream to;
        private final int level;
        private long count;

        Writer(DataOutputStream to, int level) {
            this.to = to;
            this.level = level;
        }

        <R> void rows(Collection<R> rows, Function<R, SnapshotPart> part) throws IOException {
            for (R row : rows) {
                part(part.apply(row));
            }
        }

        void part(SnapshotPart part) throws IOException {
            byte[] bytes = bytes(part);
            to.writeInt(bytes.length);
            to.write(bytes);
            count++;
        }

        private byte[] bytes(SnapshotPart part) throws IOException {
            for (int at = level; ; at++) {
                try {
                    return CODEC.encode(part, at);
                } catch (Refused refused) {
                    boolean isNewer = refused.refusal() instanceof Refusal.Conflict;
                    if (!isNewer || at >= CODEC.version()) {
                        throw new IOException(refused.refusal().message(), refused);
                    }
                }
            }
        }
    }
}
