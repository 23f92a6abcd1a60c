package io.cleat.testkit;

import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import java.io.IOException;

/**
 * What the fake's node calls really do on this machine: nothing, unless a test gives mounts. Called only when the
 * fake's own memory says that there is something to do; what it throws is answered as {@code Internal}.
 */
public interface NodeEffects {
    NodeEffects NONE = new NodeEffects() {};

    default void stage(NodeStageVolumeRequest request) throws IOException {}

    default void unstage(NodeUnstageVolumeRequest request) throws IOException {}

    default void publish(NodePublishVolumeRequest request) throws IOException {}

    default void unpublish(NodeUnpublishVolumeRequest request) throws IOException {}

    default void expand(NodeExpandVolumeRequest request) throws IOException {}
}
