package io.cleat.demo;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import tools.jackson.databind.JsonNode;

/** The bundled plugin's image as {@code ./dev image} packs it: an OCI image layout of one layer, in a tar archive. */
final class PluginArchive {
    private static final String BLOBS = "./blobs/sha256/";

    private final Path file;
    private final Map<String, byte[]> entries = new HashMap<>();

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
        PluginArchive archive = new PluginArchive(file);
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                TarArchiveInputStream tar = new TarArchiveInputStream(bytes)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                archive.entries.put(entry.getName(), tar.readAllBytes());
            }
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(file.toString(), unreadable);
        }
        return archive.content();
    }

    private Content content() throws CheckFailed {
        JsonNode index = json("./index.json");
        JsonNode manifest = json(blob(index.path("manifests").path(0)));
        JsonNode layers = manifest.path("layers");
        CheckFailed.unless(layers.size() == 1, file.toString(), "one layer", layers.size());
        JsonNode config = json(blob(manifest.path("config"))).path("config");
        Stream<String> variables = config.path("Env").valueStream().map(each -> "ENV " + each.asString(""));
        return new Content(
                bytes(blob(layers.path(0))),
                Stream.concat(Stream.of("ENTRYPOINT " + config.path("Entrypoint")), variables)
                        .toList());
    }

    private static String blob(JsonNode descriptor) {
        String digest = descriptor.path("digest").asString("");
        return BLOBS + digest.substring(digest.indexOf(':') + 1);
    }

    private JsonNode json(String name) throws CheckFailed {
        try {
            return Json.tree(bytes(name));
        } catch (Refused unreadable) {
            throw new CheckFailed(file + ", " + name, "JSON", unreadable.toString());
        }
    }

    private byte[] bytes(String name) throws CheckFailed {
        byte[] entry = entries.get(name);
        if (entry == null) {
            throw new CheckFailed(file.toString(), "the file " + name, "it is not there");
        }
        return entry;
    }
}
