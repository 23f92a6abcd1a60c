# Counts once a second: appends each number to a file of the volume, and prints it. Goes on where the file ends.
job "counter" {
  type = "service"

  group "counter" {
    volume "data" {
      type            = "csi"
      source          = "counter-data"
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
    }

    task "count" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args = ["-c", <<-SCRIPT
          numbers="$CLEAT_VOLUME_data/numbers"
          n=$(tail -n 1 "$numbers" 2>/dev/null || echo 0)
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            echo "$n" >>"$numbers"
            echo "counted $n"
            sleep 1 &
            wait $!
          done
          SCRIPT
        ]
      }

      # The volume is bound into the task's directory; $CLEAT_VOLUME_data is its path.
      volume_mount {
        volume      = "data"
        destination = "data"
      }

      resources {
        cpu    = 50
        memory = 32
      }
    }
  }
}
