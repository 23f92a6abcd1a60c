package io.cleat.agent.volumes;

import io.cleat.model.VolumeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** Where volumes are below a plugin's root, on the host's side or the plugin's. */
final class VolumePaths {
    static final String STAGING = "staging";
    static final String PER_ALLOC = "per-alloc";

    private VolumePaths() {}

    static Path staging(Path pluginRoot, VolumeId volume) {
        return pluginRoot
                .resolve(STAGING)
                .resolve(encoded(volume.namespace()))
                .resolve(encoded(volume.id()));
    }

    static Path target(Path pluginRoot, GrantedClaim claim) {
        return pluginRoot
                .resolve(PER_ALLOC)
                .resolve(encoded(claim.allocId()))
                .resolve(encoded(claim.volume().id()))
                .resolve(claim.modes().usage(claim.readOnly()));
    }

    /**
     * An id as one name in a path: letters, digits and {@code ._-} stay, every other byte, and what
     * would make the name {@code .} or {@code ..}, becomes {@code %XX}.
     */
    static String encoded(String id) {
        boolean dots = id.equals(".") || id.equals("..");
        StringBuilder name = new StringBuilder();
        for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '_'
                            || c == '-'
                            || (c == '.' && !dots);
            if (plain) {
                name.append(c);
            } else {
                name.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        // An empty id would be no name at all.
        return name.isEmpty() ? "%" : name.toString();
    }
}
