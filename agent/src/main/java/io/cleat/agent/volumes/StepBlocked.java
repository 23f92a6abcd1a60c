package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiPluginEnded;
import io.cleat.csi.CsiTrouble;

/**
 * A step cannot go on yet, and will be tried again: the message says what happened. Not a trouble of the whole, and
 * never leaves this package.
 */
final class StepBlocked extends Exception {
    private static final long serialVersionUID = 1;

    /** What ends the wait. */
    enum Until {
        /** The plugin's instance changes. */
        PLUGIN,
        /** Something of another user or volume changes on this node. */
        VOLUME,
        /** The plugin's instance changes, or the back-off is over. */
        TRIED_AGAIN,
        /** A person restarts the plugin, or another version of it comes. */
        PERSON
    }

    private final Until until;
    private final String step;
    private final String holder;
    private final String hint;

    private StepBlocked(Until until, String step, String holder, String hint) {
        super(step + ": " + holder + "; " + hint);
        this.until = until;
        this.step = step;
        this.holder = holder;
        this.hint = hint;
    }

    static StepBlocked plugin(String step, String pluginId, String why) {
        return new StepBlocked(
                Until.PLUGIN,
                step,
                "plugin \"" + pluginId + "\", " + why,
                "it goes on as soon as the plugin is there; look at `plugin status " + pluginId + "`");
    }

    static StepBlocked volume(String step, String holder, String hint) {
        return new StepBlocked(Until.VOLUME, step, holder, hint);
    }

    static StepBlocked again(String step, String what, String hint) {
        return new StepBlocked(Until.TRIED_AGAIN, step, what, hint);
    }

    /** What is there could not be seen. */
    static StepBlocked unread(String step, KernelTrouble trouble) {
        return again(step, trouble.reason(), "it is looked at again");
    }

    /** What is to be done could not be written down, so nothing of it is done. */
    static StepBlocked unwritten(DiskTrouble trouble) {
        return again("journal", trouble.reason(), "it goes on when there is room");
    }

    /** After a call that did not succeed and was not surely refused. */
    static StepBlocked after(String step, CsiTrouble trouble) {
        if (trouble instanceof CsiPluginEnded ended && ended.isWithheld()) {
            return new StepBlocked(
                    Until.PERSON,
                    step,
                    trouble.reason(),
                    "it is made again once you restart the plugin's allocation with `alloc restart` (`plugin status "
                            + trouble.plugin()
                            + "` names it), or register a plugin job that is mended; the plugin's logs may say why it "
                            + "ends");
        }
        return again(step, trouble.reason(), "the same call is made again");
    }

    Until until() {
        return until;
    }

    String step() {
        return step;
    }

    String holder() {
        return holder;
    }

    String hint() {
        return hint;
    }
}
