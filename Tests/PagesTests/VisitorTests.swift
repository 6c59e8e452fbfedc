import Testing

@testable import Pages

struct VisitorTests {
    private static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    private static let mac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    private static let pad =
        "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    private static let android =
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "

    @Test(arguments: [
        (phone + "Version/18.1 Mobile/15E148 Safari/604.1", Visitor.phone),
        (phone + "CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1", .phone),
        (phone + "FxiOS/132.0 Mobile/15E148 Safari/605.1.15", .phone),
        (phone + "EdgiOS/130.0.2849.68 Version/17.0 Mobile/15E148 Safari/604.1", .phone),
        (
            "Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1",
            .phone,
        ),
        (pad + "Version/17.5 Mobile/15E148 Safari/604.1", .pad),
        (pad + "CriOS/126.0 Mobile/15E148 Safari/604.1", .pad),
        (mac + "Version/18.1 Safari/605.1.15", .mac),
        (mac + "Chrome/130.0.0.0 Safari/537.36", .mac),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
            .mac,
        ),
        (
            phone
                + "Mobile/15E148 Instagram 355.0.0.28.101 (iPhone15,2; iOS 18_1; de_DE; de; scale=3.00; 1179x2556; 654911234)",
            .inAppBrowser(app: "Instagram"),
        ),
        (
            phone + "Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.39.111;FBBV/656478832;FBDV/iPhone15,2]",
            .inAppBrowser(app: "Facebook"),
        ),
        (
            phone + "Mobile/15E148 MicroMessenger/8.0.53(0x18003531) NetType/WIFI Language/en",
            .inAppBrowser(app: "WeChat"),
        ),
        (phone + "Mobile/15E148 Safari Line/14.18.1", .inAppBrowser(app: "LINE")),
        (phone + "Mobile/15E148 Slack/24.10.50", .inAppBrowser(app: "Slack")),
        (phone + "Mobile/15E148 Twitter for iPhone/10.65", .inAppBrowser(app: "X")),
        (phone + "Mobile/15E148 [LinkedInApp]/9.30.1234", .inAppBrowser(app: "LinkedIn")),
        (
            phone + "GSA/340.3.690779138 Mobile/15E148 Safari/604.1",
            .inAppBrowser(app: "Google"),
        ),
        (phone + "Mobile/15E148 Teams/6.20.0", .inAppBrowser(app: "Microsoft Teams")),
        (
            phone + "Mobile/15E148 musical_ly_36.7.0 JsSdk/2.0 NetType/WIFI",
            .inAppBrowser(app: "TikTok"),
        ),
        (phone + "Mobile/15E148", .inAppBrowser(app: nil)),
        (pad + "Mobile/15E148", .inAppBrowser(app: nil)),
        (mac + "Slack_SSB/4.41 Safari/537.36", .inAppBrowser(app: "Slack")),
        (android + "Chrome/130.0.0.0 Mobile Safari/537.36", .android),
        (
            android + "Version/4.0 Chrome/130.0 Mobile Safari/537.36 Instagram 355.0 Android",
            .android,
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
            .other,
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", .other),
        ("curl/8.10.1", .other),
        ("com.apple.appstored/1.0 iOS/18.1 model/iPhone15,2", .inAppBrowser(app: nil)),
        ("", .other),
    ])
    func `a user agent tells who looks`(agent: String, visitor: Visitor) {
        #expect(Visitor(userAgent: agent) == visitor)
    }

    @Test func `no header and a hostile one are nobody in particular`() {
        #expect(Visitor(userAgent: nil) == .other)
        #expect(Visitor(userAgent: String(repeating: "a", count: 1 << 20) + "iPhone") == .other)
        #expect(Visitor(userAgent: "<script>") == .other)
    }

    @Test func `a code to scan is for screens that are not the phone`() {
        #expect(Visitor.mac.wantsCode && Visitor.other.wantsCode)
        #expect(!Visitor.phone.wantsCode && !Visitor.pad.wantsCode)
        #expect(!Visitor.inAppBrowser(app: "Slack").wantsCode)
    }
}
