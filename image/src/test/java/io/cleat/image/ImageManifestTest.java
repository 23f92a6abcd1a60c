package io.cleat.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.ArtifactTrouble;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an archive or a layout says its image is. */
final class ImageManifestTest {
    private static final String ZERO = "sha256:" + "0".repeat(64);
    private final Map<String, byte[]> files = new HashMap<>();

    private Optional<Blob> find(String name) {
        return Optional.ofNullable(files.get(name)).map(BytesBlob::new);
    }

    private ImageManifest read() throws Exception {
        return ImageManifest.read(this::find);
    }

    private String refusal() {
        return assertThrows(ArtifactTrouble.class, this::read).reason();
    }

    private void put(String name, String json) {
        files.put(name, json.getBytes(UTF_8));
    }

    private String blob(String json) {
        Digest digest = TestRegistry.digest(json.getBytes(UTF_8));
        put("blobs/sha256/" + digest.hex(), json);
        return "{\"digest\":\"" + digest + "\"}";
    }

    private static String on(String descriptor, String os, String architecture) {
        return descriptor.replace(
                "}", ",\"platform\":{\"os\":\"%s\",\"architecture\":\"%s\"}}".formatted(os, architecture));
    }

    private String manifest(String config, String... layers) {
        return blob("{\"config\":" + blob(config) + ",\"layers\":[" + String.join(",", layers) + "]}");
    }

    private void index(String... manifests) {
        put("index.json", "{\"manifests\":[" + String.join(",", manifests) + "]}");
    }

    private static String config(String... diffIds) {
        return "{\"rootfs\":{\"diff_ids\":[\"" + String.join("\",\"", diffIds) + "\"]}}";
    }

    @Test
    void theOneForThisMachineIsTaken_underHoweverManyNames() throws Exception {
        String layer = "{\"digest\":\"" + ZERO + "\"}";
        String own = manifest(config(ZERO), layer);
        String nested = blob("{\"manifests\":[" + on(own, "linux", ImageFacts.architecture()) + "]}");
        index(on(layer, "windows", ImageFacts.architecture()), on(layer, "unknown", "unknown"), nested, nested);
        assertEquals(
                List.of(ZERO),
                read().facts().diffIds().stream().map(Digest::toString).toList());
        index(own, manifest(config(ZERO), layer, layer));
        assertTrue(refusal().contains("it holds 2 images for this machine"), refusal());
        index(on(layer, "linux", "other"));
        assertTrue(refusal().contains("only for [linux/other]"), refusal());
    }

    @Test
    void whatDoesNotFitTogetherIsRefused() {
        assertTrue(refusal().contains("neither manifest.json"), refusal());
        put("manifest.json", "[{\"RepoTags\":[\"a:1\"]},{\"RepoTags\":[\"b:2\"]}]");
        assertEquals("it holds 2 images a:1 b:2; save one alone", refusal());
        put("manifest.json", "[{\"Config\":\"../../etc/passwd\",\"Layers\":[]}]");
        assertTrue(refusal().contains("it has no file"), refusal());
        put("manifest.json", "{\"a\":".repeat(60) + "1" + "}".repeat(60));
        assertTrue(refusal().contains("is no JSON"), refusal());
        String layer = "{\"digest\":\"" + ZERO + "\"}";
        index(manifest(config(ZERO), layer, layer));
        assertEquals("its manifest names 2 layers, and its configuration 1", refusal());
        index(manifest(config("md5:1"), layer));
        assertTrue(refusal().contains("names a layer that has no SHA-256"), refusal());
        index(manifest("{\"os\":\"plan9\",\"architecture\":\"amd64\"}", layer));
        assertTrue(refusal().contains("it is for plan9/amd64"), refusal());
        index("{\"digest\":\"" + ZERO + "\"}");
        assertTrue(refusal().contains("it has no file \"blobs/sha256/0000"), refusal());
        put("blobs/sha256/" + "0".repeat(64), "{}");
        assertTrue(refusal().contains("is damaged or another"), refusal());
        String loop = blob("{\"manifests\":[" + blob("{\"manifests\":[" + blob("{\"manifests\":[]}") + "]}") + "]}");
        index(loop);
        assertTrue(refusal().contains("indexes of indexes"), refusal());
    }
}
