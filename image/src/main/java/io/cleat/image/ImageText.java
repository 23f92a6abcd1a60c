package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of an image: small files, held to their digests. */
final class ImageText {
    /** Registries take no larger manifest. */
    static final int LONGEST = 4 << 20;

    private static final int DEEPEST = 50;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .build();

    private ImageText() {}

    /**
     * A file that must be there.
     *
     * @param digest what it must have; empty if nobody says
     */
    static JsonNode read(ImageFiles files, String name, Optional<Digest> digest) throws IOException, ArtifactTrouble {
        Optional<Blob> file = files.find(name);
        if (file.isEmpty()) {
            throw UnpackMeter.refused("it has no file " + TarReader.shown(name));
        }
        return parse(bytes(file.get(), name, digest), name);
    }

    /** The digest of a small file. */
    static Digest digest(Blob file, String name) throws IOException, ArtifactTrouble {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes(file, name, Optional.empty()));
        return Digest.of(digest);
    }

    private static byte[] bytes(Blob file, String name, Optional<Digest> digest) throws IOException, ArtifactTrouble {
        if (file.size() > LONGEST) {
            throw UnpackMeter.refused("its file "
                    + TarReader.shown(name)
                    + " has "
                    + file.size()
                    + " bytes; 4 MiB is the most that is read");
        }
        byte[] bytes;
        try (InputStream in = file.stream()) {
            bytes = in.readAllBytes();
        }
        if (digest.isPresent()) {
            MessageDigest found = Sha256.begin();
            found.update(bytes);
            require(digest.get(), Digest.of(found), name);
        }
        return bytes;
    }

    /** Fails unless a blob is the one that was meant. */
    static void require(Digest expected, Digest found, String name) throws ArtifactTrouble {
        if (!expected.equals(found)) {
            throw UnpackMeter.refused("its file "
                    + TarReader.shown(name)
                    + " is damaged or another: expected "
                    + expected
                    + ", got "
                    + found
                    + "; nothing of it was kept");
        }
    }

    static JsonNode parse(byte[] bytes, String name) throws ArtifactTrouble {
        try {
            return JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (JacksonException garbage) {
            throw UnpackMeter.refused("its file " + TarReader.shown(name) + " is no JSON");
        }
    }

    /** A text of an object; empty if there is none. */
    static String text(JsonNode object, String key) {
        JsonNode value = object.path(key);
        return value.isString() ? value.stringValue() : "";
    }
}
