package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** CreateVolume: what is asked for is checked whole, then found by its name or made. */
final class Creation {
    /** The one parameter of a volume. */
    static final String TYPE = "type";

    private static final int LONGEST_NAME = 1024;

    private final Pool pool;
    private final Room room;
    private final Images images;

    Creation(Pool pool, Room room, Images images) {
        this.pool = pool;
        this.room = room;
        this.images = images;
    }

    Volume create(CreateVolumeRequest request)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        VolumeType type = type(request.getParametersMap());
        check(request, type);
        long bytes = Sizes.choose(type, request.getCapacityRange());
        String name = request.getName();
        try (KeyLocks.Held _ = pool.hold("name " + name)) {
            Optional<Volume> existing = pool.named(name);
            if (existing.isPresent()) {
                requireSame(existing.get(), type, request);
                return existing.get();
            }
            try (KeyLocks.Held _ = pool.hold(room.key(name))) {
                room.require(bytes);
                return pool.create(name, type, bytes, (image, id) -> images.make(image, bytes, id));
            }
        }
    }

    /**
     * The type that {@code parameters} ask for; a directory when they say nothing.
     *
     * @throws CallRefused when a parameter is not known, naming it and those that are
     */
    static VolumeType type(Map<String, String> parameters) throws CallRefused {
        List<String> unknown =
                parameters.keySet().stream().filter(key -> !key.equals(TYPE)).sorted().toList();
        if (!unknown.isEmpty()) {
            throw CallRefused.invalid(
                    "unknown parameters: "
                            + String.join(", ", unknown)
                            + "; known are: "
                            + TYPE
                            + " ("
                            + VolumeType.words()
                            + ")");
        }
        String word = parameters.getOrDefault(TYPE, VolumeType.DIRECTORY.word());
        Optional<VolumeType> type = VolumeType.of(word);
        if (type.isEmpty()) {
            throw CallRefused.invalid(
                    "parameter type is '" + word + "'; expected one of: " + VolumeType.words());
        }
        return type.get();
    }

    private static void check(CreateVolumeRequest request, VolumeType type) throws CallRefused {
        List<String> faults = new ArrayList<>();
        if (request.getName().isEmpty()) {
            faults.add("name is missing");
        } else if (request.getName().length() > LONGEST_NAME) {
            faults.add("name is longer than " + LONGEST_NAME + " characters");
        }
        if (request.getVolumeCapabilitiesCount() == 0) {
            faults.add("volume_capabilities is missing");
        }
        for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
            faults.addAll(Access.faults(type, capability));
        }
        if (request.hasVolumeContentSource()) {
            faults.add("volumes cannot be made from snapshots or other volumes here");
        }
        if (!request.getMutableParamsMap().isEmpty()) {
            faults.add("there are no mutable parameters here");
        }
        if (!faults.isEmpty()) {
            throw CallRefused.invalid(String.join("; ", faults.stream().distinct().toList()));
        }
    }

    private static void requireSame(Volume existing, VolumeType type, CreateVolumeRequest request)
            throws CallRefused {
        List<String> differences = new ArrayList<>();
        if (existing.type() != type) {
            differences.add("it is of type " + existing.type().word() + ", not " + type.word());
        }
        if (!Sizes.fits(existing.bytes(), request.getCapacityRange())) {
            differences.add(
                    "it has "
                            + existing.bytes()
                            + " bytes, outside of required "
                            + request.getCapacityRange().getRequiredBytes()
                            + " and limit "
                            + request.getCapacityRange().getLimitBytes());
        }
        if (!differences.isEmpty()) {
            throw CallRefused.different(
                    "volume '"
                            + existing.name()
                            + "' exists as "
                            + existing.id()
                            + ": "
                            + String.join("; ", differences));
        }
    }
}
