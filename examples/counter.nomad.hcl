# Counts once a second: appends each number to a file of the volume, and prints it. Goes on where the file ends.
variable "driver" {
  type        = string
  default     = "raw_exec"
  description = "exec runs it in a container, where runc or crun works."
}

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
      driver = var.driver
      # Volumes belong to root when they are new.
      user = "root"

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

      # $CLEAT_VOLUME_data is the path at which the task sees it.
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
