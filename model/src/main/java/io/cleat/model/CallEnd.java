package io.cleat.model;

/** Codes of calls that failed, beside those of gRPC: what an agent says of a call it made. */
public final class CallEnd {
    /** The plugin ended during the call, which may be made again. */
    public static final String PLUGIN_ENDED = "PluginEnded";

    /** The plugin ended during the call again and again: it is not made before a person acts. */
    public static final String WITHHELD = "Withheld";

    /** The instance that was to make the call is gone: no plugin has heard of it. */
    public static final String NOT_MADE = "NotMade";

    private CallEnd() {}
}
