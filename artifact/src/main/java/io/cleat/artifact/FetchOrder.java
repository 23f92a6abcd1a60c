package io.cleat.artifact;

import io.cleat.model.TaskArtifact;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the agent asks of the process that fetches for it, and what that answers. Both are of the same program, so the
 * bytes between them carry no version; they hold secrets and are only ever in a pipe.
 *
 * @param directory an empty one; the artifact of index n is fetched into {@code n} below it
 * @param readable the directories of the machine that artifacts may be taken from
 * @param allowed the addresses of the machine and its link that they may be taken from
 */
record FetchOrder(
        Path directory, List<Path> readable, List<AddressRange> allowed, FetchLimits limits, List<Artifact> artifacts) {
    private static final int LONGEST = 1 << 20;

    void write(DataOutputStream to) throws IOException {
        write(to, directory.toString());
        to.writeInt(readable.size());
        for (Path each : readable) {
            write(to, each.toString());
        }
        to.writeInt(allowed.size());
        for (AddressRange each : allowed) {
            write(to, each.toString());
        }
        to.writeLong(limits.time().toMillis());
        to.writeLong(limits.download());
        to.writeInt(limits.files());
        to.writeLong(limits.unpacked());
        to.writeLong(limits.disk());
        to.writeInt(limits.ratio());
        to.writeLong(limits.patience().toMillis());
        to.writeInt(artifacts.size());
        for (Artifact artifact : artifacts) {
            write(to, artifact.source());
            write(to, artifact.options());
            write(to, artifact.headers());
            write(to, artifact.mode().name());
            to.writeBoolean(artifact.insecure());
        }
        to.flush();
    }

    static FetchOrder read(DataInputStream from) throws IOException {
        Path directory = Path.of(readText(from));
        List<Path> readable = new ArrayList<>();
        for (int left = from.readInt(); left > 0; left--) {
            readable.add(Path.of(readText(from)));
        }
        List<AddressRange> allowed = new ArrayList<>();
        for (int left = from.readInt(); left > 0; left--) {
            String range = readText(from);
            allowed.add(AddressRange.parse(range).orElseThrow(() -> new IOException(range + " is no range")));
        }
        FetchLimits limits = new FetchLimits(
                Duration.ofMillis(from.readLong()),
                from.readLong(),
                from.readInt(),
                from.readLong(),
                from.readLong(),
                from.readInt(),
                Duration.ofMillis(from.readLong()));
        List<Artifact> artifacts = new ArrayList<>();
        for (int left = from.readInt(); left > 0; left--) {
            artifacts.add(new Artifact(
                    readText(from),
                    readMap(from),
                    readMap(from),
                    TaskArtifact.Mode.valueOf(readText(from)),
                    from.readBoolean()));
        }
        return new FetchOrder(directory, readable, allowed, limits, artifacts);
    }

    /** One answer. */
    record Answer(int index, Outcome outcome) {
        void write(DataOutputStream to) throws IOException {
            to.writeInt(index);
            switch (outcome) {
                case Outcome.Fetched(String below, boolean isDirectory) -> {
                    to.writeBoolean(true);
                    to.writeBoolean(isDirectory);
                    FetchOrder.write(to, below);
                }
                case Outcome.Failed(String why) -> {
                    to.writeBoolean(false);
                    FetchOrder.write(to, why);
                }
            }
            to.flush();
        }

        static Answer read(DataInputStream from) throws IOException {
            int index = from.readInt();
            if (from.readBoolean()) {
                boolean isDirectory = from.readBoolean();
                return new Answer(index, new Outcome.Fetched(readText(from), isDirectory));
            }
            return new Answer(index, new Outcome.Failed(readText(from)));
        }
    }

    private static void write(DataOutputStream to, Map<String, String> map) throws IOException {
        to.writeInt(map.size());
        for (Map.Entry<String, String> entry : map.entrySet()) {
            write(to, entry.getKey());
            write(to, entry.getValue());
        }
    }

    private static Map<String, String> readMap(DataInputStream from) throws IOException {
        Map<String, String> map = new HashMap<>();
        for (int left = from.readInt(); left > 0; left--) {
            map.put(readText(from), readText(from));
        }
        return map;
    }

    private static void write(DataOutputStream to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    private static String readText(DataInputStream from) throws IOException {
        int length = from.readInt();
        if (length < 0 || length > LONGEST) {
            throw new IOException("a text of " + length + " bytes");
        }
        return new String(from.readNBytes(length), StandardCharsets.UTF_8);
    }
}
