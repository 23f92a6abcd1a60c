package io.cleat.driverplugin;

import com.google.protobuf.ByteString;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingIOOperation;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingRequest;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingResponse;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/** A command that a plugin runs in a task of its. */
final class PluginExec implements ExecSession {
    private final PluginChannel.Stream<ExecTaskStreamingRequest, ExecTaskStreamingResponse> stream;
    private final Queue<Output> waiting = new ArrayDeque<>();
    private boolean isOver;

    private PluginExec(PluginChannel.Stream<ExecTaskStreamingRequest, ExecTaskStreamingResponse> stream) {
        this.stream = stream;
    }

    static PluginExec start(PluginChannel channel, String task, ExecCommand command)
            throws DriverTrouble, InterruptedException {
        PluginExec exec = new PluginExec(channel.conversation(DriverGrpc.getExecTaskStreamingMethod()));
        exec.stream.send(ExecTaskStreamingRequest.newBuilder()
                .setSetup(ExecTaskStreamingRequest.Setup.newBuilder()
                        .setTaskId(task)
                        .addAllCommand(command.words())
                        .setTty(command.terminal()))
                .build());
        return exec;
    }

    @Override
    public void input(byte[] bytes) throws DriverTrouble, InterruptedException {
        if (bytes.length > 0) {
            send(ExecTaskStreamingIOOperation.newBuilder().setData(ByteString.copyFrom(bytes)));
        }
    }

    @Override
    public void endInput() throws DriverTrouble, InterruptedException {
        send(ExecTaskStreamingIOOperation.newBuilder().setClose(true));
    }

    private void send(ExecTaskStreamingIOOperation.Builder input) throws DriverTrouble, InterruptedException {
        stream.send(ExecTaskStreamingRequest.newBuilder().setStdin(input).build());
    }

    @Override
    public void resize(int rows, int columns) throws DriverTrouble, InterruptedException {
        stream.send(ExecTaskStreamingRequest.newBuilder()
                .setTtySize(ExecTaskStreamingRequest.TerminalSize.newBuilder()
                        .setHeight(rows)
                        .setWidth(columns))
                .build());
    }

    @Override
    public Optional<Output> next() throws DriverTrouble, InterruptedException {
        while (waiting.isEmpty() && !isOver) {
            Optional<ExecTaskStreamingResponse> said = stream.next();
            said.ifPresent(this::take);
            isOver = isOver || said.isEmpty();
        }
        return Optional.ofNullable(waiting.poll());
    }

    private void take(ExecTaskStreamingResponse said) {
        if (!said.getStdout().getData().isEmpty()) {
            waiting.add(new Output.Out(said.getStdout().getData().toByteArray()));
        }
        if (!said.getStderr().getData().isEmpty()) {
            waiting.add(new Output.Err(said.getStderr().getData().toByteArray()));
        }
        if (said.getExited()) {
            waiting.add(new Output.Exited(TaskCalls.result(said.getResult())));
            isOver = true;
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
