import Foundation
import Testing

/// Checked-in text that output is compared with; `OTA_RECORD=1` writes it anew.
enum Golden {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Golden")

    static func expect(
        _ text: String,
        equals name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["OTA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text == recorded, "differs from Golden/\(name)", sourceLocation: sourceLocation)
    }
}
