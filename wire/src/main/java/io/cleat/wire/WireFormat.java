package io.cleat.wire;

import io.cleat.codec.RecordCodec;

/** The messages as bytes, for connections between processes. */
public final class WireFormat {
    /** The version of the protocol that this program speaks. */
    public static final int VERSION = 17;

    public static final RecordCodec<ToNode> TO_NODE = RecordCodec.sent("nodw", VERSION, ToNode.class);
    public static final RecordCodec<ToServer> TO_SERVER = RecordCodec.sent("nodu", VERSION, ToServer.class);

    private WireFormat() {}
}
