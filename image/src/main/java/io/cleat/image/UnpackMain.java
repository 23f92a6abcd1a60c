package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The process that unpacks an image: reads what it needs of it through the agent, by its input and output, makes the
 * layers that are wanted, and ends; also when its input ends, for then its agent has, or wants it no more.
 */
public final class UnpackMain {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final UnpackLimits limits;
    private final Path directory;
    private final Map<String, Optional<Blob>> files = new HashMap<>();
    private int opened;

    private UnpackMain(DataInputStream in, DataOutputStream out, UnpackLimits limits, Path directory) {
        this.in = in;
        this.out = out;
        this.limits = limits;
        this.directory = directory;
    }

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        Path directory = Path.of(Wire.readText(in));
        boolean isArchive = in.readBoolean();
        UnpackLimits limits = UnpackLimits.read(in);
        new UnpackMain(in, out, limits, directory).run(isArchive);
    }

    private void run(boolean isArchive) throws IOException {
        try {
            unpack(isArchive);
            out.writeByte(Wire.DONE);
        } catch (ArtifactTrouble trouble) {
            fail(trouble.reason(), trouble.retry().equals(Retry.SAME_CALL));
        } catch (EOFException agentIsGone) {
            return;
        } catch (IOException failed) {
            fail("it could not be read, or not be unpacked here: " + failed.getMessage(), true);
        }
        out.flush();
    }

    private void fail(String why, boolean again) throws IOException {
        out.writeByte(Wire.FAILED);
        Wire.write(out, why);
        out.writeBoolean(again);
    }

    private void unpack(boolean isArchive) throws IOException, ArtifactTrouble {
        UnpackMeter meter = new UnpackMeter(limits, Deadline.in(new SystemTime(), limits.time()));
        ImageFiles parts = this::open;
        if (isArchive) {
            Optional<Blob> archive = open("");
            if (archive.isEmpty()) {
                throw UnpackMeter.refused("it is not there any more");
            }
            parts = ArchiveFiles.of(archive.get(), meter);
        }
        ImageManifest manifest = ImageManifest.read(parts);
        out.writeByte(Wire.IMAGE);
        Wire.write(out, manifest.id().hex());
        Wire.write(out, manifest.facts());
        out.flush();
        List<Integer> wanted = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            wanted.add(in.readInt());
        }
        for (int number : wanted) {
            Digest diffId = manifest.facts().diffIds().get(number);
            ImageManifest.Layer layer = manifest.layers().get(number);
            Optional<Blob> file = parts.find(layer.name());
            if (file.isEmpty()) {
                throw UnpackMeter.refused("it has no file " + TarReader.shown(layer.name()));
            }
            List<String> leftOut =
                    LayerUnpacking.unpack(file.get(), layer, diffId, directory.resolve(diffId.hex()), meter);
            out.writeByte(Wire.LAYER);
            out.writeInt(number);
            Wire.write(out, leftOut);
            out.flush();
        }
    }

    /** A file that the agent reads for this process. */
    private Optional<Blob> open(String name) throws IOException {
        Optional<Blob> known = files.get(name);
        if (known != null) {
            return known;
        }
        out.writeByte(Wire.OPEN);
        Wire.write(out, name);
        out.flush();
        long size = in.readLong();
        Optional<Blob> file = size < 0 ? Optional.empty() : Optional.of(new Served(opened++, size));
        files.put(name, file);
        return file;
    }

    private final class Served implements Blob {
        private final int number;
        private final long size;

        Served(int number, long size) {
            this.number = number;
            this.size = size;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int read(long at, byte[] into, int from, int length) throws IOException {
            out.writeByte(Wire.READ);
            out.writeInt(number);
            out.writeLong(at);
            out.writeInt(Math.min(length, Wire.LONGEST_READ));
            out.flush();
            int got = in.readInt();
            if (got > 0) {
                in.readFully(into, from, got);
            }
            return got;
        }
    }
}
