package io.cleat.csi;

import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import org.jspecify.annotations.Nullable;

/**
 * A call to a plugin that did not end with a good reply. {@link #effect()} is that of all its tries together: once one
 * try may have worked, a later refusal does not change that, only a success does. For a call that changes nothing the
 * effect is always {@code NONE}.
 */
public abstract sealed class CsiTrouble extends PluginTrouble
        permits CsiRejected, CsiUnavailable, CsiTimedOut, CsiProtocol, CsiPluginEnded {
    private static final long serialVersionUID = 1;

    private final String plugin;
    private final String call;
    private final CsiCode code;
    private final String words;
    private final int tries;

    /** What happened, before it is known which kind of trouble it is. */
    record Details(
            String message,
            Effect effect,
            Retry retry,
            String plugin,
            String call,
            CsiCode code,
            String words,
            int tries,
            @Nullable Throwable cause) {}

    CsiTrouble(Details details) {
        super(details.message(), details.effect(), details.retry(), details.cause());
        this.plugin = details.plugin();
        this.call = details.call();
        this.code = details.code();
        this.words = details.words();
        this.tries = details.tries();
    }

    /** The plugin's name, as the channel was opened with. */
    public final String plugin() {
        return plugin;
    }

    /** The call's name in the specification, such as {@code NodeStageVolume}. */
    public final String call() {
        return call;
    }

    /** The code of the last try; {@code OK} where the reply itself was bad. */
    public final CsiCode code() {
        return code;
    }

    /** The plugin's own words of the last try, cleaned of secrets; may be empty. */
    public final String words() {
        return words;
    }

    /** How many tries were made; 0 when the time was up before the first. */
    public final int tries() {
        return tries;
    }
}
