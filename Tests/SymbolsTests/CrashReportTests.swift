import Foundation
import Identifiers
import Symbols
import TestSupport
import Testing

/// Crash reports from phones, and malicious ones.
struct CrashReportTests {
    private static let uuid = "4C4C44CD-5555-3144-A128-5790D1EB2396"

    private static func read(_ text: String) throws -> CrashReport {
        try CrashReport(reading: Array(text.utf8))
    }

    private static func refusal(_ text: String) -> CrashReportRefusal? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error as? CrashReportRefusal
        }
    }

    @Test func `a report of iOS says what ended, where, and in which build`() throws {
        let report = try Self.read(SampleSymbols.report(uuid: Self.uuid))
        let facts = Dictionary(uniqueKeysWithValues: report.facts.map { ($0.label, $0.value) })
        #expect(facts["Process"] == "Shop [512]" && facts["Version"] == "1.2.0 (34)")
        #expect(facts["Exception Type"] == "EXC_BAD_ACCESS (SIGSEGV)")
        #expect(facts["Termination Reason"] == "SIGNAL 11 Segmentation fault: 11")
        #expect(
            facts["Triggered by Thread"] == "0" && facts["OS Version"] == "iPhone OS 18.1 (22B83)"
        )
        #expect(report.notes == ["the basket was \\u{1B}[31mempty"], "nothing steers a terminal")
        #expect(report.threads.map(\.title) == ["main Dispatch queue: com.apple.main-thread", ""])
        #expect(report.crashedThread?.frames.count == 4)
        let frame = try #require(report.crashedThread?.frames.first)
        #expect(frame.address == 0x1_04a8_8010 && frame.symbol == nil)
        #expect(report.crashedThread?.frames.last?.symbol == "start + 2104")
        #expect(report.images[0].uuid == ImageUUID(Self.uuid) && !report.images[0].isOfSystem)
        #expect(report.images[1].isOfSystem)
    }

    @Test func `the text form before iOS 15 is read, alone and behind its first line`() throws {
        let digits = Self.uuid.replacing("-", with: "").lowercased()
        let other = "00000000000030008000000000000002"
        let text = """
            Incident Identifier: 6F1E2D3C-0000-4000-8000-000000000001
            Process:             Shop [512]
            OS Version:          iPhone OS 14.8 (18H17)

            Last Exception Backtrace:
            (0x1a0001000 0x104a88014)

            Thread 0 name:  Dispatch queue: com.apple.main-thread
            Thread 0 Crashed:
            0   Shop Beta                     \t0x0000000104a88010 0x104a84000 + 16400
            1   libdyld.dylib                 \t0x00000001a0001004 start + 4

            Thread 1:
            0   Shop Beta                     \t0x0000000104a8c078 0x104a84000 + 32888

            Thread 0 crashed with ARM Thread State (64-bit):
                x0: 0x0000000000000000   x1: 0x0000000000000001

            Binary Images:
            0x104a84000 - 0x104a93fff Shop Beta arm64  <\(digits)> /private/var/Shop
            0x1a0000000 - 0x1a00fffff libdyld.dylib arm64e  <\(other)> /usr/lib/system/libdyld.dylib
            """
        for whole in [text, #"{"app_name":"Shop","bug_type":"109"}"# + "\n" + text] {
            let report = try Self.read(whole)
            #expect(report.process == "Shop [512]" && report.images.count == 2)
            #expect(
                report.images[0].name == "Shop Beta"
                    && report.images[0].uuid == ImageUUID(Self.uuid)
            )
            #expect(report.threads.map(\.frames.count) == [2, 1])
            #expect(report.crashedThread?.title == "Dispatch queue: com.apple.main-thread")
            #expect(report.crashedThread?.frames.first?.offset == 16_400)
            #expect(report.crashedThread?.frames.first?.symbol == nil)
            #expect(report.crashedThread?.frames.last?.symbol == "start + 4")
            #expect(report.exceptionFrames.map(\.image) == [1, 0])
        }
    }

    @Test func `what is no report is refused, however deep or wide it is`() {
        #expect(Self.refusal("") == .unknown(reason: "it is empty"))
        #expect(Self.refusal("hello") == .unknown(reason: "it lists no thread"))
        for text in ["{}", "{}\n{}", "{}\n[]", "{\"threads\": 4}", "{}\n{\"usedImages\": \"x\"}"] {
            guard case .unknown = Self.refusal(text) else {
                Issue.record("\(text) is taken")
                continue
            }
        }
        let deep = String(repeatElement("[", count: 400_000))
        guard case .unknown = Self.refusal("{}\n{\"threads\": " + deep) else {
            Issue.record("depth is taken")
            return
        }
        #expect(throws: CrashReportRefusal.tooLarge(limit: 10)) {
            try CrashReport(reading: Array("{\"threads\": []}".utf8), atMost: 10)
        }
    }

    @Test func `numbers and places that make no sense are no frames of an image`() throws {
        let text = """
            {}
            {"threads": [{"triggered": true, "frames": [
               {"imageIndex": 99999999, "imageOffset": 1},
               {"imageIndex": -1, "imageOffset": 18446744073709551615},
               {"imageIndex": 0, "imageOffset": 18446744073709551615},
               {"imageIndex": "0", "imageOffset": -5}, {"imageIndex": 1e300}, 7, null
             ]}, 5],
             "usedImages": [{"base": 18446744073709551615, "size": -1, "uuid": "x"}, 4]}
            """
        let report = try Self.read(text)
        let frames = try #require(report.crashedThread?.frames)
        #expect(frames.map(\.image) == [nil, nil, 0, nil, nil, nil, nil])
        #expect(frames[2].address == nil, "beyond 64 bits")
        #expect(report.images.map(\.uuid) == [nil, nil])
    }

    @Test func `values are counted before they are decoded, and those in strings are none`() throws
    {
        func report(_ count: Int, _ name: String = "a") -> [UInt8] {
            let images = Array(repeating: "{}", count: count).joined(separator: ",")
            return Array(
                "{\"procName\":\"\(name)\",\"usedImages\":[\(images)],\"threads\":[]}".utf8
            )
        }
        #expect(throws: CrashReportRefusal.tooMany("values", limit: 1000)) {
            try CrashReport(reading: report(600), values: 1000)
        }
        let commas = String(repeating: ",[{", count: 900)
        let read = try CrashReport(reading: report(400, commas + "\\\"" + commas), values: 1000)
        #expect(read.images.count == 400)
    }

    @Test func `ten thousand images are read, and more than twenty thousand refused`() throws {
        func report(_ count: Int) -> String {
            let image = #"{"uuid":"\#(Self.uuid)","base":4096,"size":10,"name":"a"}"#
            let images = repeatElement(image, count: count).joined(separator: ",")
            return "{}\n{\"threads\":[],\"usedImages\":[\(images)]}"
        }
        #expect(try Self.read(report(10_000)).images.count == 10_000)
        #expect(Self.refusal(report(20_001)) == .tooMany("images", limit: 20_000))
        let frames = repeatElement("{}", count: 50_001).joined(separator: ",")
        let many = "{}\n{\"usedImages\":[],\"threads\":[{\"frames\":[\(frames)]}]}"
        #expect(Self.refusal(many) == .tooMany("frames", limit: 50_000))
    }

    @Test func `damaged reports end in a report or a refusal`() {
        let good = Array(SampleSymbols.report(uuid: Self.uuid).utf8)
        for damaged in SeededDamage.flips(of: good, count: 200, seed: 24) {
            _ = try? CrashReport(reading: damaged)
        }
        for count in stride(from: 0, to: good.count, by: 37) {
            _ = try? CrashReport(reading: Array(good[..<count]))
        }
    }
}
