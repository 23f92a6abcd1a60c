package io.cleat.demo;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The bundled plugin's image as {@code ./dev image} packs it: an OCI image layout of one layer, in
 * a tar archive (POSIX.1-1988, "ustar", with names of up to 100 bytes).
 */
final class PluginArchive {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE = 12;
    private static final String BLOBS = "./blobs/sha256/";

    private final Path file;
    private final Map<String, Entry> entries = new HashMap<>();

    private record Entry(long offset, int size) {}

    /**
     * What an image is made of.
     *
     * @param layer a tar archive, compressed by gzip
     * @param instructions its configuration, as lines of a Dockerfile
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Content(byte[] layer, List<String> instructions) {}

    private PluginArchive(Path file) {
        this.file = file;
    }

    /** Reads the image. */
    static Content read(Path file) throws CheckFailed {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            PluginArchive archive = new PluginArchive(file);
            archive.index(channel);
            JsonNode index = archive.json(channel, "./index.json");
            JsonNode manifest = archive.json(channel, blob(index.path("manifests").path(0)));
            JsonNode layers = manifest.path("layers");
            CheckFailed.unless(layers.size() == 1, file.toString(), "one layer", layers.size());
            JsonNode config = archive.json(channel, blob(manifest.path("config"))).path("config");
            Stream<String> variables =
                    config.path("Env").valueStream().map(each -> "ENV " + each.asString(""));
            return new Content(
                    archive.bytes(channel, blob(layers.path(0))),
                    Stream.concat(Stream.of("ENTRYPOINT " + config.path("Entrypoint")), variables)
                            .toList());
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(file.toString(), unreadable);
        }
    }

    private static String blob(JsonNode descriptor) {
        String digest = descriptor.path("digest").asString("");
        return BLOBS + digest.substring(digest.indexOf(':') + 1);
    }

    private void index(SeekableByteChannel channel) throws IOException, CheckFailed {
        byte[] header = new byte[BLOCK];
        long at = 0;
        while (at + BLOCK <= channel.size()) {
            read(channel, at, header);
            String name = text(header, 0, NAME);
            if (name.isEmpty()) {
                return;
            }
            int size;
            try {
                size = Integer.parseInt(text(header, SIZE_AT, SIZE).strip(), 8);
            } catch (NumberFormatException other) {
                throw new CheckFailed(file.toString(), "a tar archive", "no size of " + name);
            }
            entries.put(name, new Entry(at + BLOCK, size));
            at += BLOCK + (size + BLOCK - 1L) / BLOCK * BLOCK;
        }
    }

    private static String text(byte[] header, int at, int length) {
        String text = new String(header, at, length, StandardCharsets.US_ASCII);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    private JsonNode json(SeekableByteChannel channel, String name)
            throws IOException, CheckFailed {
        try {
            return Json.tree(bytes(channel, name));
        } catch (Refused unreadable) {
            throw new CheckFailed(file + ", " + name, "JSON", unreadable.toString());
        }
    }

    private byte[] bytes(SeekableByteChannel channel, String name) throws IOException, CheckFailed {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new CheckFailed(file.toString(), "the file " + name, "it is not there");
        }
        byte[] bytes = new byte[entry.size()];
        read(channel, entry.offset(), bytes);
        return bytes;
    }

    private static void read(SeekableByteChannel channel, long at, byte[] bytes)
            throws IOException {
        channel.position(at);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("it ends in the middle of a file");
            }
        }
    }
}
