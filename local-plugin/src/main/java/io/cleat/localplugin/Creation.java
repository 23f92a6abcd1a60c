package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.csi.v1.CapacityRange;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.VolumeContentSource;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * CreateVolume: what is asked for is checked whole, then found by its name or made, empty or as a copy of a snapshot or
 * of another volume.
 */
final class Creation {
    private static final int LONGEST_NAME = 1024;
    private static final Set<PosixFilePermission> FOR_ALL_TO_READ = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Pool pool;
    private final Places places;
    private final FreeCapacity free;
    private final Images images;
    private final boolean mountsHere;
    private final Sources sources;

    /** @param mountsHere whether this process is the one that will mount the volumes */
    Creation(Pool pool, Places places, FreeCapacity free, Images images, boolean mountsHere, Sources sources) {
        this.pool = pool;
        this.places = places;
        this.free = free;
        this.images = images;
        this.mountsHere = mountsHere;
        this.sources = sources;
    }

    Volume create(CreateVolumeRequest request) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        requireName(request.getName());
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw CallRefused.invalid("volume_capabilities is missing");
        }
        Optional<VolumeType> named = TypeChoice.named(request.getParametersMap(), request.getVolumeCapabilitiesList());
        Optional<Volume.Source> source = source(request.getVolumeContentSource());
        try (KeyLocks.Held _ = pool.hold("name " + request.getName())) {
            Optional<Volume> existing = pool.volumes().named(request.getName());
            if (existing.isPresent()) {
                requireSame(existing.get(), named, source, request);
                return existing.get();
            }
            places.require(request.getAccessibilityRequirements());
            if (source.isEmpty()) {
                VolumeType type = named.orElse(VolumeType.DIRECTORY);
                long bytes = Sizes.choose(type, request.getCapacityRange());
                images.requireMakeable(type);
                return make(
                        request, type, source, Volume.Shape.of(bytes), (volume, content) -> makeEmpty(volume, content));
            }
            try (KeyLocks.Held _ = pool.hold(source.get().id())) {
                return copy(request, named, source.get());
            }
        }
    }

    /** Makes the content of a volume that is being created. */
    @FunctionalInterface
    private interface Filling {
        void fill(Volume volume, Path content) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException;
    }

    private Volume copy(CreateVolumeRequest request, Optional<VolumeType> named, Volume.Source from)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        Sources.Origin origin = sources.find(from);
        VolumeType type = origin.type();
        if (named.isPresent() && named.get() != type) {
            throw CallRefused.invalid("the source "
                    + from.id()
                    + " is of type "
                    + type.word()
                    + ", and so is what is made from it; "
                    + named.get().word()
                    + " was asked for");
        }
        long bytes = Sizes.atLeast(origin.bytes(), type, request.getCapacityRange());
        boolean growing = type.isFileSystem() && bytes > origin.bytes();
        return make(
                request, type, Optional.of(from), Volume.Shape.of(bytes).sized(bytes, growing), (volume, content) -> {
                    sources.copy(origin, content);
                    if (type.isImage()) {
                        images.setApart(content, type, volume.id());
                        images.resize(content, bytes);
                    }
                });
    }

    private Volume make(
            CreateVolumeRequest request,
            VolumeType type,
            Optional<Volume.Source> source,
            Volume.Shape shape,
            Filling filling)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        List<String> faults = TypeChoice.faults(type, request.getVolumeCapabilitiesList());
        if (!faults.isEmpty()) {
            throw CallRefused.invalid(String.join("; ", faults));
        }
        Volume.Shape set = shape.set(Settings.check(type, request.getMutableParamsMap()));
        if (mountsHere) {
            images.requireMountable(type);
        }
        try (KeyLocks.Held _ = pool.hold(free.key(request.getName()))) {
            free.require(shape.bytes());
            Kept.Label label = pool.label(request.getName(), pool.volumes().lastOrder());
            Volume volume = Volume.created(label, type, source, set);
            try (KeyLocks.Held _ = pool.hold(volume.id())) {
                pool.volumes().create(volume, content -> filling.fill(volume, content));
            }
            return volume;
        }
    }

    private void makeEmpty(Volume volume, Path content)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (volume.type().isImage()) {
            images.make(content, volume.type(), volume.bytes(), volume.id());
            return;
        }
        DurableFiles.makeDirectory(content);
        try {
            Files.setPosixFilePermissions(content, FOR_ALL_TO_READ);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "setting the mode of " + content + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        Settings.applyMode(volume, content);
    }

    /** CSI allows no more than 128 bytes of a name; more are taken. */
    static void requireName(String name) throws CallRefused {
        if (name.isEmpty()) {
            throw CallRefused.invalid("name is missing");
        }
        if (name.length() > LONGEST_NAME) {
            throw CallRefused.invalid("name is longer than " + LONGEST_NAME + " characters");
        }
    }

    private static Optional<Volume.Source> source(VolumeContentSource given) throws CallRefused {
        Volume.Source source = switch (given.getTypeCase()) {
            case SNAPSHOT ->
                new Volume.Source(
                        Volume.Source.Kind.SNAPSHOT, given.getSnapshot().getSnapshotId());
            case VOLUME ->
                new Volume.Source(Volume.Source.Kind.VOLUME, given.getVolume().getVolumeId());
            case TYPE_NOT_SET -> null;
        };
        if (source != null && source.id().isEmpty()) {
            throw CallRefused.invalid("volume_content_source names no id");
        }
        return Optional.ofNullable(source);
    }

    private static void requireSame(
            Volume existing, Optional<VolumeType> named, Optional<Volume.Source> source, CreateVolumeRequest request)
            throws CallRefused {
        List<String> differences = new ArrayList<>();
        VolumeType type = named.orElse(source.isPresent() ? existing.type() : VolumeType.DIRECTORY);
        if (existing.type() != type) {
            differences.add("it is of type " + existing.type().word() + ", not " + type.word());
        }
        if (!existing.source().equals(source)) {
            differences.add("it was made from "
                    + existing.source().map(Volume.Source::id).orElse("nothing")
                    + ", not from "
                    + source.map(Volume.Source::id).orElse("nothing"));
        }
        CapacityRange range = request.getCapacityRange();
        if (!Sizes.fits(existing.bytes(), range)) {
            differences.add("it has "
                    + existing.bytes()
                    + " bytes, outside of required "
                    + range.getRequiredBytes()
                    + " and limit "
                    + range.getLimitBytes());
        }
        if (!differences.isEmpty()) {
            throw CallRefused.different("volume '"
                    + existing.name()
                    + "' exists as "
                    + existing.id()
                    + ": "
                    + String.join("; ", differences));
        }
    }
}
