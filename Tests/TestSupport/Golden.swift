import Foundation

/// Checked-in text that output is compared with: the folder `Golden` beside the test.
package enum Golden {
    /// The text of `Golden/{name}`; with `OTA_RECORD=1` in the environment, after writing `text`
    /// there.
    package static func text(
        _ name: String,
        recording text: String,
        beside test: String = #filePath,
    ) throws -> String {
        let file = URL(filePath: test).deletingLastPathComponent()
            .appending(path: "Golden").appending(path: name)
        if ProcessInfo.processInfo.environment["OTA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
