package io.cleat.sim;

import com.google.protobuf.Message;
import io.cleat.csi.CsiCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The process of one CSI plugin on a machine. It does one thing at a time with a volume, as the specification allows,
 * and goes on with a call though nobody waits for it any more.
 */
final class SimPlugin {
    final String pluginId;
    final PluginWords words;
    final SimMachine machine;
    final SimProcess process;
    private final boolean holdsMounts;
    private final SimStorage storage;
    private final Chaos chaos;
    private final Trace trace;
    private final Signal killed = new Signal();

    /** @param holdsMounts whether its mounts die with it */
    SimPlugin(
            String pluginId,
            PluginWords words,
            boolean holdsMounts,
            SimMachine machine,
            SimProcess process,
            SimStorage storage,
            Chaos chaos,
            Trace trace) {
        this.pluginId = pluginId;
        this.words = words;
        this.holdsMounts = holdsMounts;
        this.machine = machine;
        this.process = process;
        this.storage = storage;
        this.chaos = chaos;
        this.trace = trace;
    }

    /** A call under way, as its caller sees it. */
    final class Pending {
        final Signal changed = killed;

        @Nullable
        Message reply;

        @Nullable
        CsiRefusal refusal;

        boolean isAnswered() {
            return reply != null || refusal != null;
        }
    }

    boolean isDisks() {
        return words.isDisks();
    }

    /** Whether it sees, this time, that a volume is not staged. */
    boolean looksAtStagings() {
        if (!chaos.strikes(500)) {
            return true;
        }
        trace.count("volumes published though they are not staged");
        return false;
    }

    boolean holdsMounts() {
        return holdsMounts;
    }

    void kill() {
        process.kill();
        killed.all();
    }

    /** Has callers look again. */
    void wake() {
        killed.all();
    }

    /**
     * @param caller by whose end the connection breaks: a call that has not come in by then does not, and none comes
     *     behind those of a later connection
     */
    Pending begin(String call, Message request, SimProcess caller) {
        Pending pending = new Pending();
        process.start("call", () -> serve(call, request, pending, caller));
        return pending;
    }

    private void serve(String call, Message request, Pending pending, SimProcess caller) throws InterruptedException {
        boolean changes = SimStorage.changes(call);
        String volume = SimStorage.volumeOf(request);
        process.sleep(chaos.latency(3, 3_000));
        if (!caller.isAlive()) {
            return;
        }
        try {
            if (!changes) {
                if (chaos.strikes(10)) {
                    throw new CsiRefusal(CsiCode.UNAVAILABLE, "not now");
                }
                pending.reply = storage.handle(this, call, request);
            } else {
                storage.enter(this, call, volume);
                try {
                    pending.reply = change(call, request);
                } finally {
                    storage.leave(this, call, volume);
                }
            }
        } catch (CsiRefusal refusal) {
            pending.refusal = refusal;
        }
        if (changes) {
            CsiRefusal no = pending.refusal;
            say(call, volume, no == null ? "OK" : no.code() + " " + no.getMessage());
        }
        killed.all();
    }

    private Message change(String call, Message request) throws CsiRefusal, InterruptedException {
        String volume = SimStorage.volumeOf(request);
        if (storage.isDeadly(call, volume, chaos)) {
            count(call, "ends its plugin");
            say(call, volume, "ends its plugin");
            if (chaos.below(2) == 0) {
                storage.handle(this, call, request);
            }
            machine.crash(this);
            process.sleep(Duration.ofDays(1));
        }
        if (chaos.strikes(25)) {
            count(call, "hangs");
            say(call, volume, "hangs");
            boolean does = chaos.below(2) == 0;
            process.sleep(Duration.ofSeconds(30 + chaos.below(600)));
            if (!does) {
                throw new CsiRefusal(CsiCode.INTERNAL, "it hung");
            }
        }
        if (chaos.strikes(40)) {
            count(call, "fails");
            throw new CsiRefusal(chaos.pick(SimStorage.passing(call)), "no particular reason, and nothing was done");
        }
        if (chaos.strikes(15)) {
            count(call, "refuses");
            throw new CsiRefusal(chaos.pick(SimStorage.FINAL), "it does not want to");
        }
        if (chaos.strikes(15) && SimStorage.mayLie(call)) {
            count(call, "lies");
            say(call, volume, "lies");
            return SimNodeCalls.emptyReply(call);
        }
        Message reply = storage.handle(this, call, request);
        if (chaos.strikes(40)) {
            count(call, "does and fails");
            say(call, volume, "is done, and fails");
            throw new CsiRefusal(chaos.pick(SimStorage.passing(call)), "it was done before this error");
        }
        process.sleep(chaos.latency(1, 2_000));
        return reply;
    }

    private void say(String call, String volume, String what) {
        trace.say(machine.name, pluginId + " " + call + " " + volume + ": " + what);
    }

    private void count(String call, String what) {
        trace.count(call + " " + what);
    }
}
