package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * Which files an image is made of: as an OCI image layout says ({@code index.json}), or an archive of {@code docker
 * save} ({@code manifest.json}).
 *
 * @param id the digest of its configuration, which names the image
 * @param layers the lowest first, as many as the facts name
 */
record ImageManifest(Digest id, ImageFacts facts, List<Layer> layers) {
    private static final String INDEX = "index.json";
    private static final String SAVED = "manifest.json";
    private static final int MOST_INDEXES = 3;

    /**
     * One layer's file.
     *
     * @param digest of the file, packed as it is; empty if nobody says
     */
    record Layer(String name, Optional<Digest> digest) {}

    ImageManifest {
        layers = List.copyOf(layers);
    }

    static ImageManifest read(ImageFiles files) throws IOException, ArtifactTrouble {
        if (files.find(INDEX).isPresent()) {
            return ofLayout(files);
        }
        if (files.find(SAVED).isPresent()) {
            return ofSaved(files);
        }
        throw UnpackMeter.refused("it is no image: it has neither "
                + SAVED
                + ", as docker save writes, nor "
                + INDEX
                + ", as an OCI image layout has");
    }

    private static ImageManifest ofSaved(ImageFiles files) throws IOException, ArtifactTrouble {
        JsonNode all = ImageText.read(files, SAVED, Optional.empty());
        if (all.size() != 1) {
            throw UnpackMeter.refused("it holds "
                    + all.size()
                    + " images"
                    + StreamSupport.stream(all.spliterator(), false)
                            .limit(5)
                            .map(each -> " " + each.path("RepoTags").path(0).asString("?"))
                            .reduce("", String::concat)
                    + "; save one alone");
        }
        JsonNode image = all.path(0);
        String name = ImageText.text(image, "Config");
        Optional<Blob> config = files.find(name);
        if (config.isEmpty()) {
            throw UnpackMeter.refused("it has no file " + TarReader.shown(name));
        }
        Digest id = ImageText.digest(config.get(), name);
        String last = name.substring(name.lastIndexOf('/') + 1).replace(".json", "");
        Optional<Digest> said = Digest.ofHex(last);
        if (said.isPresent()) {
            ImageText.require(said.get(), id, name);
        }
        List<Layer> layers = new ArrayList<>();
        for (JsonNode each : image.path("Layers")) {
            layers.add(new Layer(each.asString(""), Optional.empty()));
        }
        return of(id, ImageText.read(files, name, Optional.of(id)), layers);
    }

    private static ImageManifest ofLayout(ImageFiles files) throws IOException, ArtifactTrouble {
        JsonNode index = ImageText.read(files, INDEX, Optional.empty());
        for (int depth = 0; depth < MOST_INDEXES; depth++) {
            Digest digest = chosen(index);
            JsonNode next = ImageText.read(files, blob(digest), Optional.of(digest));
            if (!next.path("manifests").isArray()) {
                return ofManifest(files, next);
            }
            index = next;
        }
        throw UnpackMeter.refused("it has indexes of indexes, more than " + MOST_INDEXES + " deep");
    }

    private static ImageManifest ofManifest(ImageFiles files, JsonNode manifest) throws IOException, ArtifactTrouble {
        Digest id = digest(manifest.path("config"));
        List<Layer> layers = new ArrayList<>();
        for (JsonNode each : manifest.path("layers")) {
            Digest digest = digest(each);
            layers.add(new Layer(blob(digest), Optional.of(digest)));
        }
        return of(id, ImageText.read(files, blob(id), Optional.of(id)), layers);
    }

    private static ImageManifest of(Digest id, JsonNode config, List<Layer> layers) throws ArtifactTrouble {
        ImageFacts facts = ImageFacts.of(config);
        if (facts.diffIds().size() != layers.size()) {
            throw UnpackMeter.refused("its manifest names "
                    + layers.size()
                    + " layers, and its configuration "
                    + facts.diffIds().size());
        }
        return new ImageManifest(id, facts, layers);
    }

    /** The one of an index that is for this machine. */
    private static Digest chosen(JsonNode index) throws ArtifactTrouble {
        // One image of two names is one.
        Set<Digest> fitting = new LinkedHashSet<>();
        List<String> platforms = new ArrayList<>();
        for (JsonNode each : index.path("manifests")) {
            String os = ImageText.text(each.path("platform"), "os");
            String architecture = ImageText.text(each.path("platform"), "architecture");
            platforms.add(os + "/" + architecture);
            boolean fits = (os.isEmpty() || os.equals("linux"))
                    && (architecture.isEmpty() || architecture.equals(ImageFacts.architecture()));
            if (fits) {
                fitting.add(digest(each));
            }
        }
        if (fitting.isEmpty()) {
            throw UnpackMeter.refused("it has nothing for linux/"
                    + ImageFacts.architecture()
                    + ", only for "
                    + platforms.stream().limit(10).toList());
        }
        if (fitting.size() > 1) {
            throw UnpackMeter.refused("it holds " + fitting.size() + " images for this machine; keep one alone");
        }
        return fitting.iterator().next();
    }

    private static Digest digest(JsonNode descriptor) throws ArtifactTrouble {
        String text = ImageText.text(descriptor, "digest");
        Optional<Digest> digest = Digest.parse(text);
        if (digest.isEmpty()) {
            throw UnpackMeter.refused("its manifest names " + TarReader.shown(text) + ", which is no SHA-256 digest");
        }
        return digest.get();
    }

    private static String blob(Digest digest) {
        return "blobs/sha256/" + digest.hex();
    }
}
