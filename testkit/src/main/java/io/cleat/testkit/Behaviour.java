package io.cleat.testkit;

import com.google.protobuf.Message;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What the fake plugin does with one call. */
public sealed interface Behaviour {
    /** Does its work and says so. */
    static Behaviour ok() {
        return new Ok();
    }

    /** Does nothing and answers {@code code} with {@code words}. */
    static Behaviour refuse(Status.Code code, String words) {
        return new Refuse(code, words);
    }

    /** Does nothing and never answers. */
    static Behaviour hang() {
        return new Hang();
    }

    /** Waits, then does its work. */
    static Behaviour slow(Duration pause) {
        return new Slow(pause);
    }

    /** Waits until the test opens {@code gate}, then does its work. */
    static Behaviour waitFor(CountDownLatch gate) {
        return new WaitFor(gate);
    }

    /** Does its work and then behaves as {@code after}: refuses, hangs, crashes, answers wrongly. */
    static Behaviour doThen(Behaviour after) {
        return new DoThen(after);
    }

    /** Does nothing and says it did. */
    static Behaviour lie() {
        return new Lie();
    }

    /** Breaks all connections and stops listening, without an answer; the socket file stays. */
    static Behaviour crash() {
        return new Crash();
    }

    /**
     * Behaves as {@code what} when asked about the volume or name {@code subject}, whatever else is asked beside; does
     * its work for others.
     */
    static Behaviour about(String subject, Behaviour what) {
        return new About(subject, what);
    }

    /** Does nothing and answers {@code reply}, whatever was asked. */
    static Behaviour answer(Message reply) {
        return new Answer(reply);
    }

    /** Does nothing and answers with a message that has no field set. */
    static Behaviour answerEmpty() {
        return new Empty();
    }

    /** Does its work and answers with every text of the reply {@code length} letters long. */
    static Behaviour answerHuge(int length) {
        return new Huge(length);
    }

    /**
     * Sends the first {@code messages} of a stream and then behaves as {@code after}: refuses, hangs or crashes. For
     * calls that answer with a stream, which else may only be ok, refuse, hang, crash or answer with one message.
     */
    static Behaviour part(int messages, Behaviour after) {
        return new Part(messages, after);
    }

    record Ok() implements Behaviour {}

    record Refuse(Status.Code code, String words) implements Behaviour {}

    record Hang() implements Behaviour {}

    record Slow(Duration pause) implements Behaviour {}

    record WaitFor(CountDownLatch gate) implements Behaviour {}

    record DoThen(Behaviour after) implements Behaviour {}

    record Lie() implements Behaviour {}

    record Crash() implements Behaviour {}

    record About(String subject, Behaviour what) implements Behaviour {}

    record Answer(Message reply) implements Behaviour {}

    record Empty() implements Behaviour {}

    record Huge(int length) implements Behaviour {}

    record Part(int messages, Behaviour after) implements Behaviour {}
}
