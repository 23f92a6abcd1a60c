# Allocations that share one volume: each appends to a file of its own there, once a second.
variable "count" {
  type    = number
  default = 2
}

variable "driver" {
  type        = string
  default     = "raw_exec"
  description = "exec runs it in a container, where runc or crun works."
}

job "shared" {
  type = "service"

  group "shared" {
    count = var.count

    volume "data" {
      type            = "csi"
      source          = "shared-data"
      access_mode     = "multi-node-multi-writer"
      attachment_mode = "file-system"
    }

    task "write" {
      driver = var.driver
      # Volumes belong to root when they are new.
      user = "root"

      config {
        command = "/bin/sh"
        args = ["-c", <<-SCRIPT
          n=0
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            echo "$n" >>"$CLEAT_VOLUME_data/$NOMAD_ALLOC_ID"
            sleep 1 &
            wait $!
          done
          SCRIPT
        ]
      }

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
