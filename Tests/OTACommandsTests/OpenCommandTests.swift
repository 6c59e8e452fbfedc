import Foundation
import TestSupport
import Testing

/// `ota open`: prints the URL of a page, and opens a browser if there is one.
struct OpenCommandTests {
    @Test func `the address of the admin pages is printed, and of an app's page`() async throws {
        try await Workplace.run { place in
            let admin = try await place.ota("open", "--server", "https://ota.example.com/team")
            #expect(admin.status == 0 && admin.output == "https://ota.example.com/team/admin\n")
            _ = try await place.json("apps", "add", "com.example.demo")
            // The server has never run, so its URL is unknown.
            let refusal = try await place.refusal("open", "demo")
            #expect(refusal["id"].string == "base-url.missing")
            // The fix is an option of this command.
            #expect(refusal["fix"].string?.hasPrefix("give --server ") == true)
            #expect(try await place.ota("open", "nothing").status == 1)
        }
    }

    // Options: open: no-browser
    @Test func `a browser opens where there is a display, unless it is not wanted`() async throws {
        try await Workplace.run { place in
            let url = "https://ota.example.com"
            try place.write(
                "#!/bin/sh\nprintf %s \"$1\" > \(place.path("opened"))\n",
                to: "xdg-open",
            )
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: place.path("xdg-open"),
            )
            let folder = place.folder.path()
            func open(_ arguments: [String], _ environment: [String: String]) async throws {
                let outcome = try await place.ota(
                    ["open", "--server", url] + arguments,
                    environment: environment.merging(["PATH": folder + ":/usr/bin:/bin"]) { $1 },
                )
                #expect(outcome.status == 0 && outcome.output.hasSuffix("/admin\n"), "\(outcome)")
            }
            try await open([], [:])
            try await open(["--no-browser"], ["DISPLAY": ":0"])
            try await Task.sleep(for: .milliseconds(300))
            #expect(!place.isThere("opened"))
            try await open([], ["DISPLAY": ":0"])
            for _ in 0..<200 where !place.isThere("opened") {
                try await Task.sleep(for: .milliseconds(50))
            }
            try await Task.sleep(for: .milliseconds(100))
            #expect(String(decoding: try place.bytes("opened"), as: UTF8.self) == url + "/admin")
        }
    }
}
