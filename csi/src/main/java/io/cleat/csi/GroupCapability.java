package io.cleat.csi;

/** What a group controller service offers (CSI 1.13, GroupControllerServiceCapability.RPC). */
public enum GroupCapability {
    CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT
}
