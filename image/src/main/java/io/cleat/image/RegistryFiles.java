package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * An image at a registry, as an OCI image layout: what is asked for is got, held to its digest, and written into a
 * directory, which then is that layout. One thread.
 */
final class RegistryFiles implements ImageFiles {
    private static final String BLOBS = "blobs/sha256/";
    private static final String INDEX = "index.json";

    /** Where all but layers is once more, to be kept. */
    static final String KEPT = "kept";

    private static final String ANYTHING = "*/*";

    /** In words of OCI, and of Docker before it. */
    private static final String MANIFESTS = "application/vnd.oci.image.index.v1+json,"
            + " application/vnd.docker.distribution.manifest.list.v2+json,"
            + " application/vnd.oci.image.manifest.v1+json,"
            + " application/vnd.docker.distribution.manifest.v2+json";

    private final RegistryClient client;
    private final Path directory;
    private final String reference;
    private final long most;
    private final Map<String, Blob> files = new HashMap<>();
    private final Set<String> manifests = new HashSet<>();
    private long downloaded;

    /**
     * @param directory an empty one
     * @param reference a tag, or a digest
     * @param most bytes that are downloaded
     */
    RegistryFiles(RegistryClient client, Path directory, String reference, long most) throws IOException {
        this.client = client;
        this.directory = directory;
        this.reference = reference;
        this.most = most;
        Files.createDirectories(directory.resolve(BLOBS));
        Files.createDirectories(directory.resolve(KEPT).resolve(BLOBS));
    }

    @Override
    public Optional<Blob> find(String name) throws IOException, ArtifactTrouble {
        Blob known = files.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            if (name.equals(INDEX)) {
                return Optional.of(index());
            }
            Optional<Digest> digest =
                    name.startsWith(BLOBS) ? Digest.ofHex(name.substring(BLOBS.length())) : Optional.empty();
            if (digest.isEmpty()) {
                return Optional.empty();
            }
            boolean isManifest = manifests.contains(digest.get().hex());
            byte[] bytes =
                    small((isManifest ? "manifests/" : "blobs/") + digest.get(), isManifest ? MANIFESTS : ANYTHING);
            ImageText.require(digest.get(), digest(bytes), name);
            return Optional.of(keep(digest.get(), bytes));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", end);
        }
    }

    /** What the reference stands for, as an index of one entry. */
    private Blob index() throws IOException, ArtifactTrouble, InterruptedException {
        byte[] bytes = small("manifests/" + reference, MANIFESTS);
        Digest digest = digest(bytes);
        Optional<Digest> asked = Digest.parse(reference);
        if (asked.isPresent()) {
            ImageText.require(asked.get(), digest, "manifests/" + reference);
        }
        keep(digest, bytes);
        return write(
                INDEX,
                ("{\"schemaVersion\":2,\"manifests\":[{\"digest\":\"" + digest + "\"}]}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private Blob keep(Digest digest, byte[] bytes) throws IOException, ArtifactTrouble {
        JsonNode all = ImageText.parse(bytes, digest.toString());
        for (JsonNode each : all.path("manifests")) {
            Digest.parse(ImageText.text(each, "digest")).ifPresent(it -> manifests.add(it.hex()));
        }
        return write(BLOBS + digest.hex(), bytes);
    }

    private Blob write(String name, byte[] bytes) throws IOException {
        Files.write(directory.resolve(name), bytes, StandardOpenOption.CREATE_NEW);
        Files.write(directory.resolve(KEPT).resolve(name), bytes, StandardOpenOption.CREATE_NEW);
        Blob blob = new Blob() {
            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public int read(long at, byte[] into, int from, int length) {
                int some = (int) Math.min(length, bytes.length - at);
                System.arraycopy(bytes, (int) at, into, from, some);
                return some;
            }
        };
        files.put(name, blob);
        return blob;
    }

    private static Digest digest(byte[] bytes) {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes);
        return Digest.of(digest);
    }

    private byte[] small(String what, String accept) throws IOException, ArtifactTrouble, InterruptedException {
        byte[][] got = new byte[1][];
        client.get(what, accept, new RegistryClient.Use() {
            @Override
            public long from() {
                return 0;
            }

            @Override
            public void read(InputStream body, boolean partial) throws IOException, ArtifactTrouble {
                byte[] bytes = body.readNBytes(ImageText.LONGEST + 1);
                if (bytes.length > ImageText.LONGEST) {
                    throw UnpackMeter.refused("its " + what + " has more than 4 MiB, the most that is read");
                }
                client.received(bytes.length);
                got[0] = bytes;
            }
        });
        return got[0];
    }

    /** Gets a layer, which may be large. */
    void download(ImageManifest.Layer layer) throws IOException, ArtifactTrouble, InterruptedException {
        Digest digest = layer.digest().orElseThrow();
        Path file = directory.resolve(BLOBS + digest.hex());
        if (Files.exists(file)) {
            return;
        }
        Files.createFile(file);
        client.get("blobs/" + digest, ANYTHING, new Download(file));
        MessageDigest found = Sha256.begin();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = new byte[1 << 16];
            for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
                found.update(piece, 0, got);
            }
        }
        ImageText.require(digest, Digest.of(found), layer.name());
    }

    /** One layer's, which goes on where it was cut. */
    private final class Download implements RegistryClient.Use {
        private final Path file;

        Download(Path file) {
            this.file = file;
        }

        @Override
        public long from() throws IOException {
            return Files.size(file);
        }

        @Override
        public void read(InputStream body, boolean partial) throws IOException, ArtifactTrouble {
            StandardOpenOption how = partial ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE, how)) {
                byte[] piece = new byte[1 << 16];
                for (int got = body.read(piece); got >= 0; got = body.read(piece)) {
                    downloaded += got;
                    if (downloaded > most) {
                        throw UnpackMeter.refused("it has more than "
                                + most
                                + " bytes, the most that this agent takes (-exec-image-max-unpacked)");
                    }
                    client.received(got);
                    out.write(piece, 0, got);
                }
            } catch (EOFException cut) {
                throw new IOException("cut short", cut);
            }
        }
    }
}
