package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What an image's configuration says (OCI image-spec, "Image Configuration").
 *
 * @param program what of it a driver uses
 * @param diffIds the digests of its layers as tar archives, the lowest first
 */
record ImageFacts(Program program, List<Digest> diffIds) {
    /** Overlayfs takes more; engines make no more. */
    private static final int MOST_LAYERS = 127;

    private static final int LONGEST = 256 << 10;

    private static final Map<String, String> ARCHITECTURES = Map.of("x86_64", "amd64", "aarch64", "arm64");

    /** As Java has them; each list in order, each text as it stands there. */
    record Program(
            List<String> entrypoint, List<String> command, List<String> environment, String user, String workDir) {
        Program {
            entrypoint = List.copyOf(entrypoint);
            command = List.copyOf(command);
            environment = List.copyOf(environment);
        }
    }

    ImageFacts {
        diffIds = List.copyOf(diffIds);
    }

    /** This machine's architecture, in the words of images. */
    static String architecture() {
        String name = System.getProperty("os.arch", "");
        return ARCHITECTURES.getOrDefault(name, name);
    }

    static ImageFacts of(JsonNode config) throws ArtifactTrouble {
        requirePlatform(ImageText.text(config, "os"), ImageText.text(config, "architecture"));
        List<Digest> diffIds = new ArrayList<>();
        for (JsonNode each : config.path("rootfs").path("diff_ids")) {
            Optional<Digest> digest = Digest.parse(each.asString(""));
            if (digest.isEmpty()) {
                throw UnpackMeter.refused("its configuration names a layer that has no SHA-256");
            }
            diffIds.add(digest.get());
        }
        if (diffIds.isEmpty() || diffIds.size() > MOST_LAYERS) {
            throw UnpackMeter.refused("it has " + diffIds.size() + " layers; expected 1 to " + MOST_LAYERS);
        }
        JsonNode run = config.path("config");
        Program program = new Program(
                texts(run, "Entrypoint"),
                texts(run, "Cmd"),
                texts(run, "Env"),
                line(run, "User"),
                line(run, "WorkingDir"));
        return new ImageFacts(program, diffIds);
    }

    private static void requirePlatform(String os, String architecture) throws ArtifactTrouble {
        boolean fits =
                (os.isEmpty() || os.equals("linux")) && (architecture.isEmpty() || architecture.equals(architecture()));
        if (!fits) {
            throw UnpackMeter.refused(
                    "it is for " + os + "/" + architecture + "; this machine is linux/" + architecture());
        }
    }

    private static List<String> texts(JsonNode object, String key) throws ArtifactTrouble {
        List<String> texts = new ArrayList<>();
        long length = 0;
        for (JsonNode each : object.path(key)) {
            String text = each.isString() ? each.stringValue() : "\0";
            length += text.length();
            if (text.indexOf('\0') >= 0 || length > LONGEST) {
                throw UnpackMeter.refused(
                        "its configuration has a " + key + " that is no list of texts of at most 256 KiB");
            }
            texts.add(text);
        }
        return texts;
    }

    private static String line(JsonNode object, String key) throws ArtifactTrouble {
        String text = ImageText.text(object, key);
        if (text.length() > 4096 || text.chars().anyMatch(Character::isISOControl)) {
            throw UnpackMeter.refused("its configuration has a " + key + " that is no line of text");
        }
        return text;
    }
}
