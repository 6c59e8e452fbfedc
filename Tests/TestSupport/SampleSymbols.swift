package import Foundation

/// A dSYM of `Tests/TestSupport/CrashSymbols/Basket.swift.txt` and `loader.c.txt`, for arm64 and linked at
/// 0x100000000; made by `make` in the same folder.
package enum SampleSymbols {
    /// The sixteen bytes of the UUID in LC_UUID.
    private static let identifierPlace = 0x28..<0x38

    /// Offsets from the beginning of the image.
    package static let firstInlinedIntoLoad: UInt64 = 0x4010
    /// The instruction in `main` to which `load` returns, after the call in line 14.
    package static let afterCallInMain: UInt64 = 0x403c
    package static let takeInlinedIntoTotal: UInt64 = 0x4078
    package static let total: UInt64 = 0x407c

    /// Returns the DWARF file of the dSYM, with its UUID replaced by this one.
    package static func file(uuid: [UInt8]? = nil) throws -> [UInt8] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "CrashSymbols/Shop.dwarf")
        var bytes = [UInt8](try Data(contentsOf: path))
        if let uuid { bytes.replaceSubrange(identifierPlace, with: uuid) }
        return bytes
    }

    /// Writes the dSYM bundle `folder/name`.
    package static func write(
        to folder: URL,
        named name: String = "Shop.app.dSYM",
        uuid: [UInt8]? = nil,
    ) throws {
        let place = folder.appending(path: "\(name)/Contents/Resources/DWARF")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(file(uuid: uuid)).write(to: place.appending(path: "Shop"))
        try Data("<plist/>".utf8).write(to: folder.appending(path: "\(name)/Contents/Info.plist"))
    }

    /// A crash report in the format of iOS 18, of a program with this UUID that crashed in `load`, called by
    /// `main`, with a second thread in `take`, inlined into `total`.
    package static func report(uuid: String) -> String {
        let base = 0x1_04a8_4000
        let head =
            #"{"app_name":"Shop","timestamp":"2027-01-15 09:00:00.00 +0100","app_version":"1.2.0","#
            + #""build_version":"34","bundleID":"com.example.demo","os_version":"iPhone OS 18.1","#
            + #""incident_id":"6F1E2D3C-0000-4000-8000-000000000001","bug_type":"309"}"#
        return head + "\n" + """
            {"procName": "Shop", "procPath": "/private/var/containers/Bundle/Shop.app/Shop",
             "pid": 512, "modelCode": "iPhone15,2", "captureTime": "2027-01-15 09:00:00.00 +0100",
             "osVersion": {"train": "iPhone OS 18.1", "build": "22B83"},
             "bundleInfo": {"CFBundleIdentifier": "com.example.demo", "CFBundleVersion": "34",
                            "CFBundleShortVersionString": "1.2.0"},
             "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV",
                           "subtype": "KERN_INVALID_ADDRESS at 0x0000000000000000", "codes": "0x1, 0x0"},
             "termination": {"namespace": "SIGNAL", "code": 11, "indicator": "Segmentation fault: 11"},
             "asi": {"Shop": ["the basket\\nwas \\u001b[31mempty"]},
             "faultingThread": 0,
             "threads": [
              {"id": 9, "triggered": true, "name": "main", "queue": "com.apple.main-thread", "frames": [
                {"imageIndex": 0, "imageOffset": \(firstInlinedIntoLoad)},
                {"imageIndex": 0, "imageOffset": \(afterCallInMain)},
                {"imageIndex": 1, "imageOffset": 4096},
                {"imageIndex": 1, "imageOffset": 8192, "symbol": "start", "symbolLocation": 2104}]},
              {"id": 10, "frames": [{"imageIndex": 0, "imageOffset": \(takeInlinedIntoTotal)}]}
             ],
             "usedImages": [
              {"uuid": "\(uuid)", "name": "Shop", "arch": "arm64", "base": \(base), "size": 65536,
               "path": "/private/var/containers/Bundle/Shop.app/Shop"},
              {"uuid": "00000000-0000-3000-8000-000000000002", "name": "UIKitCore", "arch": "arm64e",
               "base": 6442450944, "size": 1048576,
               "path": "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"}
             ]}
            """
    }
}
