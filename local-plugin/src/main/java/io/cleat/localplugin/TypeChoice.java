package io.cleat.localplugin;

import io.cleat.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which type of volume a request means: by its parameters, or else by how it is to be used. */
final class TypeChoice {
    /** The one parameter of a volume. */
    static final String TYPE = "type";

    private TypeChoice() {}

    /** As {@link #named}; a directory when the request says nothing. */
    static VolumeType type(Map<String, String> parameters, List<VolumeCapability> capabilities) throws CallRefused {
        return named(parameters, capabilities).orElse(VolumeType.DIRECTORY);
    }

    /**
     * The type that the parameter names, or else that of a device or of a file system asked for.
     *
     * @throws CallRefused when a parameter is not known, naming it and those that are
     */
    static Optional<VolumeType> named(Map<String, String> parameters, List<VolumeCapability> capabilities)
            throws CallRefused {
        List<String> unknown = parameters.keySet().stream()
                .filter(key -> !key.equals(TYPE))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            throw CallRefused.invalid("unknown parameters: "
                    + String.join(", ", unknown)
                    + "; known are: "
                    + TYPE
                    + " ("
                    + VolumeType.words()
                    + ")");
        }
        String word = parameters.get(TYPE);
        if (word == null) {
            return capabilities.stream().flatMap(c -> used(c).stream()).findFirst();
        }
        Optional<VolumeType> type = VolumeType.of(word);
        if (type.isEmpty()) {
            throw CallRefused.invalid("parameter type is '" + word + "'; expected one of: " + VolumeType.words());
        }
        return type;
    }

    private static Optional<VolumeType> used(VolumeCapability capability) {
        return capability.hasBlock()
                ? Optional.of(VolumeType.BLOCK)
                : VolumeType.of(capability.getMount().getFsType()).filter(VolumeType::isFileSystem);
    }

    /** All faults of {@code capabilities} for a volume of {@code type}, each once. */
    static List<String> faults(VolumeType type, List<VolumeCapability> capabilities) {
        List<String> faults = new ArrayList<>();
        for (VolumeCapability capability : capabilities) {
            faults.addAll(Access.faults(type, capability));
        }
        return faults.stream().distinct().toList();
    }
}
