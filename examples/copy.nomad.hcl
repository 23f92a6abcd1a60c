# Counts on in the copy of the volume of counter.nomad.hcl; each line says that it is the copy.
variable "driver" {
  type        = string
  default     = "raw_exec"
  description = "exec runs it in a container, where runc or crun works."
}

job "copy" {
  type = "service"

  group "copy" {
    volume "data" {
      type            = "csi"
      source          = "counter-copy"
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
          last=$(tail -n 1 "$numbers")
          n=$${last##* }
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            echo "copy $n" >>"$numbers"
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
