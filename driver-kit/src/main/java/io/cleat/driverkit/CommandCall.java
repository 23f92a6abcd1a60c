package io.cleat.driverkit;

import com.google.protobuf.ByteString;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingIOOperation;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingRequest;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One command in a task, over one call. One thread feeds it, another tells what comes of it, since a command may read
 * only while its output is taken. One piece of input waits at a time.
 */
final class CommandCall implements StreamObserver<ExecTaskStreamingRequest> {
    /** One that was asked for, its end, and the command's own. */
    private static final int MOST_WAITING = 3;

    private final PluginDriver driver;
    private final KnownTasks tasks;
    private final Threads threads;
    private final ServerCallStreamObserver<ExecTaskStreamingResponse> to;
    private final PacedAnswers<ExecTaskStreamingResponse> answers;
    private final BlockingQueue<Input> next = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicReference<Optional<Thread>> feeding = new AtomicReference<>(Optional.empty());

    /** What the caller says next. */
    private sealed interface Input {
        record Said(ExecTaskStreamingRequest request) implements Input {}

        record Over() implements Input {}
    }

    private CommandCall(
            PluginDriver driver,
            KnownTasks tasks,
            Threads threads,
            ServerCallStreamObserver<ExecTaskStreamingResponse> to) {
        this.driver = driver;
        this.tasks = tasks;
        this.threads = threads;
        this.to = to;
        this.answers = new PacedAnswers<>(to);
    }

    static CommandCall begin(
            PluginDriver driver, KnownTasks tasks, Threads threads, StreamObserver<ExecTaskStreamingResponse> to) {
        CommandCall call =
                new CommandCall(driver, tasks, threads, (ServerCallStreamObserver<ExecTaskStreamingResponse>) to);
        call.to.disableAutoRequest();
        call.to.setOnCancelHandler(call::hangUp);
        call.to.request(1);
        call.feeding.set(Optional.of(threads.contained("exec-in", call::run, Threads.OnFault.NOTHING_MORE)));
        return call;
    }

    @Override
    public void onNext(ExecTaskStreamingRequest request) {
        next.offer(new Input.Said(request));
    }

    @Override
    public void onError(Throwable gone) {
        hangUp();
    }

    @Override
    public void onCompleted() {
        next.offer(new Input.Over());
    }

    private void hangUp() {
        answers.wake();
        feeding.get().ifPresent(Thread::interrupt);
    }

    private void run() throws InterruptedException {
        if (!(next.take() instanceof Input.Said(ExecTaskStreamingRequest first)) || !first.hasSetup()) {
            to.onError(Status.INVALID_ARGUMENT
                    .withDescription("the first message has to say which command")
                    .asRuntimeException());
            return;
        }
        ExecTaskStreamingRequest.Setup setup = first.getSetup();
        try (ExecSession session = driver.exec(
                tasks.get(setup.getTaskId()).handle(), new ExecCommand(setup.getCommandList(), setup.getTty()))) {
            Thread telling = threads.contained("exec-out", () -> tell(session), Threads.OnFault.NOTHING_MORE);
            try {
                feed(session, first);
                telling.join();
            } finally {
                telling.interrupt();
            }
        } catch (DriverTrouble trouble) {
            to.onError(Calls.failure(trouble));
        }
    }

    private void feed(ExecSession session, ExecTaskStreamingRequest first) throws InterruptedException {
        try {
            take(session, first);
            to.request(1);
            Input input = next.take();
            while (input instanceof Input.Said(ExecTaskStreamingRequest request)) {
                take(session, request);
                to.request(1);
                input = next.take();
            }
        } catch (DriverTrouble gone) {
            // The command has ended, or will not be told more: its output says which.
            return;
        }
    }

    private static void take(ExecSession session, ExecTaskStreamingRequest request)
            throws DriverTrouble, InterruptedException {
        if (request.hasTtySize()) {
            session.resize(
                    request.getTtySize().getHeight(), request.getTtySize().getWidth());
        }
        if (request.hasStdin()) {
            ByteString data = request.getStdin().getData();
            if (!data.isEmpty()) {
                session.input(data.toByteArray());
            }
            if (request.getStdin().getClose()) {
                session.endInput();
            }
        }
    }

    private void tell(ExecSession session) throws InterruptedException {
        try {
            Optional<Output> output = session.next();
            while (output.isPresent()) {
                switch (output.get()) {
                    case Output.Out(byte[] bytes) ->
                        answers.send(ExecTaskStreamingResponse.newBuilder()
                                .setStdout(data(bytes))
                                .build());
                    case Output.Err(byte[] bytes) ->
                        answers.send(ExecTaskStreamingResponse.newBuilder()
                                .setStderr(data(bytes))
                                .build());
                    case Output.Exited(var end) ->
                        answers.send(ExecTaskStreamingResponse.newBuilder()
                                .setExited(true)
                                .setResult(TaskMessages.end(end))
                                .build());
                }
                output = session.next();
            }
            to.onCompleted();
        } catch (DriverTrouble trouble) {
            to.onError(Calls.failure(trouble));
        } finally {
            next.clear();
            next.offer(new Input.Over());
        }
    }

    private static ExecTaskStreamingIOOperation data(byte[] bytes) {
        return ExecTaskStreamingIOOperation.newBuilder()
                .setData(ByteString.copyFrom(bytes))
                .build();
    }
}
