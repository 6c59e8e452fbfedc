import HTTPServing
import HTTPTypes

/// The routes of apps, releases and devices.
extension AdminRoutes {
    var things: Table {
        appPages + releasePages + devicePages + AdminGroups(gate: gate).table
            + AdminRules(gate: gate).table + AdminFeedback(gate: gate).table
    }

    private var appPages: Table {
        let apps = AdminApps(gate: gate)
        let channels = AdminChannels(gate: gate)
        return [
            Route("/apps", [.get: apps.list, .post: apps.add]),
            Route("/apps/{slug}", [.get: apps.page]),
            Route("/apps/{slug}/icon.png", [.get: apps.icon]),
            Route("/apps/{slug}/settings", [.post: apps.changeSettings]),
            Route("/apps/{slug}/devices", [.get: apps.matrix]),
            Route(
                "/apps/{slug}/channels/{channel}/access",
                [.get: channels.accessForm, .post: channels.changeAccess],
            ),
            Route(
                "/apps/{slug}/channels/{channel}/end",
                [.get: channels.askToEnd, .post: channels.end],
            ),
        ]
    }

    private var releasePages: Table {
        let releases = AdminReleases(gate: gate)
        return [
            Route("/apps/{slug}/{release}", [.get: releases.page]),
            Route("/apps/{slug}/{release}/icon.png", [.get: releases.icon]),
            Route("/apps/{slug}/{release}/devices", [.get: releases.devices]),
            Route("/apps/{slug}/{release}/provenance.json", [.get: releases.statement]),
            Route("/apps/{slug}/{release}/provenance.pem", [.get: releases.statementKey]),
            Route(
                "/apps/{slug}/{release}/notes",
                [.get: releases.notes, .post: releases.changeNotes],
            ),
            Route(
                "/apps/{slug}/{release}/promote",
                [.get: releases.askToPromote, .post: releases.promote],
            ),
            Route(
                "/apps/{slug}/{release}/withdraw",
                [.get: releases.askToWithdraw, .post: releases.withdraw],
            ),
            Route("/apps/{slug}/{release}/restore", [.post: releases.restore]),
            Route("/apps/{slug}/{release}/pin", [.post: releases.pin]),
            Route("/apps/{slug}/{release}/unpin", [.post: releases.unpin]),
            Route(
                "/apps/{slug}/{release}/sign",
                [.get: releases.askToSign, .post: releases.sign],
            ),
        ]
    }

    private var devicePages: Table {
        let register = AdminRegister(gate: gate)
        let lists = AdminDeviceLists(gate: gate)
        let invitations = AdminInvitations(gate: gate)
        let devices = AdminDevices(gate: gate)
        return [
            Route("/devices", [.get: register.list]),
            Route("/devices/search", [.post: register.search]),
            Route("/devices/approve", [.post: register.approve]),
            Route("/devices/selected", [.post: AdminDeviceSelection(gate: gate).act]),
            Route("/devices/add", [.get: register.addForm, .post: register.add]),
            Route("/devices/export", [.get: lists.export]),
            Route("/devices/import", [.get: lists.importForm, .post: lists.take]),
            Route("/devices/invitations", [.get: invitations.list, .post: invitations.invite]),
            Route("/devices/invitations/{invitation}", [.get: invitations.page]),
            Route("/devices/invitations/{invitation}/revoke", [.post: invitations.revoke]),
            Route("/devices/{device}", [.get: devices.page]),
            Route("/devices/{device}/approve", [.post: devices.approve]),
            Route("/devices/{device}/rename", [.post: devices.rename]),
            Route(
                "/devices/{device}/disable",
                [.get: devices.askToDisable, .post: devices.disable],
            ),
            Route("/devices/{device}/enable", [.post: devices.enable]),
            Route("/devices/{device}/erase", [.get: devices.askToErase, .post: devices.erase]),
        ]
    }
}
