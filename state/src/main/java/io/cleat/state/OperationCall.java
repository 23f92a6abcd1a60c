package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of the controller service as it is stored: no plain secrets. Calls without secrets of their own use those of
 * the stored volume.
 */
public sealed interface OperationCall {
    /** The volume it is about; absent if it is about none. */
    Optional<VolumeId> about();

    /** What it is about, such as {@code volume data} or {@code snapshot s-1}. */
    default String subject() {
        return about().map(volume -> "volume " + volume.id()).orElse("no volume");
    }

    /** CreateVolume; its success registers the volume. */
    record Create(VolumeSpec spec, Encrypted secrets) implements OperationCall {
        @Override
        public Optional<VolumeId> about() {
            return Optional.of(spec.id());
        }
    }

    /** ValidateVolumeCapabilities; its success registers, or changes, the volume. */
    record Validate(VolumeSpec spec, Encrypted secrets) implements OperationCall {
        @Override
        public Optional<VolumeId> about() {
            return Optional.of(spec.id());
        }
    }

    /** DeleteVolume; its success removes the volume. */
    record Delete(VolumeId volume, String externalId, Encrypted secrets) implements OperationCall {
        @Override
        public Optional<VolumeId> about() {
            return Optional.of(volume);
        }
    }

    /** ControllerPublishVolume. */
    record Publish(
            VolumeId volume,
            AttachmentId attachment,
            String externalNodeId,
            VolumeModes modes,
            MountOptions mountOptions,
            boolean readOnly,
            Map<String, String> context)
            implements OperationCall {
        public Publish {
            context = Ordered.copyOf(context);
        }

        @Override
        public Optional<VolumeId> about() {
            return Optional.of(volume);
        }
    }

    /** ControllerUnpublishVolume. */
    record Unpublish(VolumeId volume, AttachmentId attachment, String externalNodeId) implements OperationCall {
        @Override
        public Optional<VolumeId> about() {
            return Optional.of(volume);
        }
    }

    /**
     * ControllerExpandVolume; its success changes the volume as a whole.
     *
     * @param spec as it is to be, with the range of capacity
     * @param modes those of its claims; null while nobody claims it
     */
    record Expand(
            VolumeSpec spec, Encrypted secrets, @Nullable VolumeModes modes) implements OperationCall {
        @Override
        public Optional<VolumeId> about() {
            return Optional.of(spec.id());
        }
    }

    /**
     * CreateSnapshot.
     *
     * @param name the CSI name: the same name of the same volume makes the same snapshot again
     */
    record CreateSnapshot(
            VolumeId volume, String externalId, String name, Map<String, String> parameters, Encrypted secrets)
            implements OperationCall {
        public CreateSnapshot {
            parameters = Ordered.copyOf(parameters);
        }

        @Override
        public Optional<VolumeId> about() {
            return Optional.of(volume);
        }
    }

    /** DeleteSnapshot; about no volume, since a snapshot outlives its own. */
    record DeleteSnapshot(String snapshotId, Encrypted secrets) implements OperationCall {
        @Override
        public String subject() {
            return "snapshot " + snapshotId;
        }

        @Override
        public Optional<VolumeId> about() {
            return Optional.empty();
        }
    }

    /** What it acts on at the provider; null before the provider has named it. */
    static @Nullable AttachmentId attachmentOf(OperationCall call) {
        return switch (call) {
            case Publish publish -> publish.attachment();
            case Unpublish unpublish -> unpublish.attachment();
            case Create _, Validate _, Delete _, Expand _, CreateSnapshot _, DeleteSnapshot _ -> null;
        };
    }

    /** The name of the call in the CSI specification. */
    static String csiName(OperationCall call) {
        return switch (call) {
            case Create _ -> "CreateVolume";
            case Validate _ -> "ValidateVolumeCapabilities";
            case Delete _ -> "DeleteVolume";
            case Publish _ -> "ControllerPublishVolume";
            case Unpublish _ -> "ControllerUnpublishVolume";
            case Expand _ -> "ControllerExpandVolume";
            case CreateSnapshot _ -> "CreateSnapshot";
            case DeleteSnapshot _ -> "DeleteSnapshot";
        };
    }
}
